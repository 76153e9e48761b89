// DEVICES: cpu
// A texture object that is destroyed while a kernel still reads it: the kernel
// reads what it did before, also after other objects have been made.
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void read(cudaTextureObject_t t, volatile int *go, float *out) {
  float before = tex1Dfetch<float>(t, threadIdx.x);
  if (threadIdx.x == 0) {
    *go = 1;
    while (*go != 2)
      ;
  }
  __syncthreads();
  out[threadIdx.x] = before + tex1Dfetch<float>(t, 255 - threadIdx.x);
}

static cudaTextureObject_t make(float *memory, size_t bytes) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = bytes;
  cudaTextureDesc description = {};
  cudaTextureObject_t object = 0;
  if (cudaCreateTextureObject(&object, &resource, &description, nullptr) !=
      cudaSuccess)
    printf("no object %s\n", cudaGetErrorName(cudaGetLastError()));
  return object;
}

int main() {
  float h[256], *d, *other, *out;
  for (int i = 0; i < 256; ++i)
    h[i] = i;
  cudaMalloc(&d, sizeof(h));
  cudaMalloc(&other, 4096);
  cudaMalloc(&out, sizeof(h));
  cudaMemset(other, 0, 4096);
  cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
  volatile int *go;
  cudaMallocHost((void **)&go, sizeof(int));
  *go = 0;
  cudaTextureObject_t object = make(d, sizeof(h));
  read<<<1, 256>>>(object, go, out);
  while (*go != 1)
    ;
  cudaDestroyTextureObject(object);
  // What has been given back is used again.
  std::vector<char *> blocks;
  for (size_t bytes = 64; bytes < 512; bytes += 8)
    for (int i = 0; i < 8; ++i) {
      blocks.push_back(new char[bytes]);
      memset(blocks.back(), 0x5a, bytes);
    }
  std::vector<cudaTextureObject_t> objects;
  for (int i = 0; i < 64; ++i)
    objects.push_back(make(other, 64));
  *go = 2;
  cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost);
  int bad = 0;
  for (float each : h)
    bad += each != 255;
  for (cudaTextureObject_t each : objects)
    cudaDestroyTextureObject(each);
  // Far more than are kept.
  for (int i = 0; i < 10000; ++i)
    cudaDestroyTextureObject(make(d, sizeof(h)));
  if (cudaDeviceSynchronize() != cudaSuccess)
    ++bad;
  for (char *each : blocks)
    delete[] each;
  printf(bad ? "%d wrong\n" : "PASSED\n", bad);
  return bad != 0;
}
