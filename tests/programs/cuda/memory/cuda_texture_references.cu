// Texture and surface references: what CUDA had before objects (until version
// 11), bound to linear memory, pitched memory and arrays.
#include "../../Inputs/count.h"

texture<float, 1, cudaReadModeElementType> linear;
static texture<int4> vectors;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> image;
texture<float, cudaTextureType2D> plane;
texture<float, cudaTextureType3D> space;
surface<void, cudaSurfaceType2D> written;

__device__ float first() { return tex1Dfetch(linear, 0); }

__global__ void fetch(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * tex1Dfetch(linear, n - 1 - i) + first();
}
__global__ void sums(int *out) {
  int4 v = tex1Dfetch(vectors, threadIdx.x);
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}
__global__ void normalized(float *out) {
  out[threadIdx.x] =
      tex2D(image, threadIdx.x % 8 + 0.5f, threadIdx.x / 8 + 0.5f);
}
__global__ void between(float *out) {
  out[threadIdx.x] = tex2D(plane, threadIdx.x + 1.0f, 2.5f);
}
__global__ void volume(float *out) {
  out[threadIdx.x] = tex3D(space, threadIdx.x % 2 + 0.5f,
                           threadIdx.x / 2 % 2 + 0.5f, threadIdx.x / 4 + 0.5f);
}
__global__ void write() {
  surf2Dwrite(10.0f * threadIdx.y + threadIdx.x, written,
              threadIdx.x * sizeof(float), threadIdx.y);
}

template <class T> static T *onDevice(const T *from, size_t n) {
  T *p;
  CHECK(cudaMalloc(&p, n * sizeof(T)) == cudaSuccess);
  if (from)
    cudaMemcpy(p, from, n * sizeof(T), cudaMemcpyHostToDevice);
  else
    cudaMemset(p, 0, n * sizeof(T));
  return p;
}

int main() {
  constexpr int n = 1000;
  static float h[n], r[n];
  for (int i = 0; i < n; ++i)
    h[i] = i + 1;
  float *d = onDevice(h, n), *out = onDevice<float>(nullptr, n);

  // As SDK samples and as Rodinia bind.
  size_t offset = 99;
  CHECK(cudaBindTexture(&offset, linear, d, n * sizeof(float)) == cudaSuccess);
  CHECK(offset == 0);
  fetch<<<(n + 127) / 128, 128>>>(out, n);
  cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    CHECK(r[i] == 2 * h[n - 1 - i] + 1);
  CHECK(cudaUnbindTexture(linear) == cudaSuccess);

  // Again, to other memory, in the form of C.
  for (int i = 0; i < n; ++i)
    h[i] = 3 * i;
  float *e = onDevice(h, n);
  cudaChannelFormatDesc description = cudaCreateChannelDesc<float>();
  linear.filterMode = cudaFilterModePoint;
  linear.normalized = false;
  linear.channelDesc = description;
  CHECK(cudaBindTexture(NULL, &linear, e, &description, n * sizeof(float)) ==
        cudaSuccess);
  fetch<<<(n + 127) / 128, 128>>>(out, n);
  CHECK(cudaUnbindTexture(&linear) == cudaSuccess); // the kernel still reads it
  cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    CHECK(r[i] == 2 * h[n - 1 - i]);

  int4 hv[32];
  int hs[32];
  for (int i = 0; i < 32; ++i)
    hv[i] = make_int4(i, 2 * i, 3 * i, 4 * i);
  int4 *dv = onDevice(hv, 32);
  int *ds = onDevice<int>(nullptr, 32);
  CHECK(cudaBindTexture(0, vectors, dv) == cudaSuccess);
  sums<<<1, 32>>>(ds);
  cudaMemcpy(hs, ds, sizeof(hs), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i)
    CHECK(hs[i] == 10 * i);

  unsigned char pixels[64], *pitched;
  for (int i = 0; i < 64; ++i)
    pixels[i] = 4 * i;
  size_t pitch;
  CHECK(cudaMallocPitch(&pitched, &pitch, 8, 8) == cudaSuccess);
  cudaMemcpy2D(pitched, pitch, pixels, 8, 8, 8, cudaMemcpyHostToDevice);
  cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
  CHECK(cudaBindTexture2D(0, image, pitched, bytes, 8, 8, pitch) ==
        cudaSuccess);
  normalized<<<1, 64>>>(out);
  cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i)
    CHECK(r[i] > (4 * i - 0.01f) / 255 && r[i] < (4 * i + 0.01f) / 255);

  cudaArray *array;
  CHECK(cudaMallocArray(&array, &description, 8, 8,
                        cudaArraySurfaceLoadStore) == cudaSuccess);
  CHECK(cudaBindSurfaceToArray(written, array) == cudaSuccess);
  write<<<1, dim3(8, 8)>>>();
  plane.filterMode = cudaFilterModeLinear;
  plane.addressMode[0] = cudaAddressModeClamp;
  CHECK(cudaBindTextureToArray(plane, array, description) == cudaSuccess);
  between<<<1, 7>>>(out);
  cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 7; ++i)
    CHECK(r[i] == 20 + i + 0.5f);

  cudaArray *cube;
  CHECK(cudaMalloc3DArray(&cube, &description, make_cudaExtent(2, 2, 2)) ==
        cudaSuccess);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(h, 2 * sizeof(float), 2, 2);
  copy.dstArray = cube;
  copy.extent = make_cudaExtent(2, 2, 2);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
  CHECK(cudaBindTextureToArray(space, cube) == cudaSuccess);
  volume<<<1, 8>>>(out);
  cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; ++i)
    CHECK(r[i] == h[i]);
  CHECK(cudaGetLastError() == cudaSuccess);
  printf(bad ? "FAILED\n" : "PASSED\n");
  return bad != 0;
}
