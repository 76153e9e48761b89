// What samples do with the runtime: checked calls, properties, atomics, clocks,
// callbacks, pitched memory, occupancy, errors of launches.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
template <typename T>
void check(T result, char const *const func, const char *const file,
           int const line) {
  if (result) {
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line,
            static_cast<unsigned int>(result), cudaGetErrorName(result), func);
    exit(EXIT_FAILURE);
  }
}
__global__ void atomics(int *g) {
  const unsigned int tid = blockDim.x * blockIdx.x + threadIdx.x;
  atomicAdd(&g[0], 10);
  atomicSub(&g[1], 10);
  atomicExch(&g[2], tid);
  atomicMax(&g[3], tid);
  atomicMin(&g[4], tid);
  atomicInc((unsigned int *)&g[5], 17);
  atomicDec((unsigned int *)&g[6], 137);
  atomicCAS(&g[7], tid - 1, tid);
  atomicAnd(&g[8], 2 * tid + 7);
  atomicOr(&g[9], 1 << tid);
  atomicXor(&g[10], tid);
}
__device__ double atomicAddOld(double *address, double val) {
  unsigned long long int *a = (unsigned long long int *)address;
  unsigned long long int old = *a, assumed;
  do {
    assumed = old;
    old = atomicCAS(a, assumed,
                    __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
__device__ __forceinline__ float atomicMinF(float *addr, float value) {
  float old;
  old = (value >= 0)
            ? __int_as_float(atomicMin((int *)addr, __float_as_int(value)))
            : __uint_as_float(
                  atomicMax((unsigned int *)addr, __float_as_uint(value)));
  return old;
}
__global__ void dbl(double *s, float *m) {
  atomicAddOld(s, threadIdx.x * 0.5);
  atomicAdd(s + 1, 1.0);
  atomicMinF(m, 100.f - threadIdx.x);
}
__global__ void timed(clock_t *t, float *x) {
  clock_t a = clock();
  long long b = clock64();
  for (int i = 0; i < 100; ++i)
    x[threadIdx.x] = sinf(x[threadIdx.x]) + __expf(-x[threadIdx.x]);
  if (threadIdx.x == 0)
    t[0] = clock() - a, t[1] = clock64() - b;
}
void CUDART_CB callback(cudaStream_t, cudaError_t, void *data) {
  *(int *)data += 1;
}
__launch_bounds__(256, 2) __global__
    void bounds(uchar4 *p, cudaExtent e, int2 k) {
  p[threadIdx.x] = make_uchar4(threadIdx.x, k.x, k.y, (unsigned char)e.depth);
}
int main(int argc, char **argv) {
  int dev = 0;
  cudaDeviceProp prop;
  checkCudaErrors(cudaGetDeviceCount(&dev));
  checkCudaErrors(cudaSetDevice(0));
  checkCudaErrors(cudaGetDeviceProperties(&prop, 0));
  printf("> %s %d.%d SMs %d shared %zu warp %d\n", prop.name, prop.major,
         prop.minor, prop.multiProcessorCount, prop.sharedMemPerBlock,
         prop.warpSize);
  int *g, h[11];
  memset(h, 0, sizeof h);
  h[8] = h[10] = 0xff;
  checkCudaErrors(cudaMalloc((void **)&g, sizeof h));
  checkCudaErrors(cudaMemcpy(g, h, sizeof h, cudaMemcpyHostToDevice));
  atomics<<<64, 256>>>(g);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaMemcpy(h, g, sizeof h, cudaMemcpyDeviceToHost));
  int bad = h[0] != 163840;
  bad += h[1] != -163840;
  bad += h[3] != 16383;
  bad += h[4] != 0;
  bad += h[9] != -1;
  double *s, hs[2] = {};
  float *m, hm = 1000;
  cudaMalloc(&s, 16);
  cudaMalloc(&m, 4);
  cudaMemcpy(s, hs, 16, cudaMemcpyHostToDevice);
  cudaMemcpy(m, &hm, 4, cudaMemcpyHostToDevice);
  dbl<<<2, 64>>>(s, m);
  cudaMemcpy(hs, s, 16, cudaMemcpyDeviceToHost);
  cudaMemcpy(&hm, m, 4, cudaMemcpyDeviceToHost);
  bad += hs[0] != 2016;
  bad += hs[1] != 128;
  bad += hm != 37;
  clock_t *t, ht[2];
  float *x;
  cudaMalloc(&t, 16);
  cudaMalloc(&x, 128);
  cudaMemset(x, 0, 128);
  timed<<<1, 32>>>(t, x);
  cudaMemcpy(ht, t, 16, cudaMemcpyDeviceToHost);
  bad += ht[0] <= 0;
  int calls = 0;
  cudaStream_t st;
  cudaStreamCreateWithFlags(&st, cudaStreamNonBlocking);
  checkCudaErrors(cudaStreamAddCallback(st, callback, &calls, 0));
  cudaStreamSynchronize(st);
  bad += calls != 1;
  uchar4 *u, hu[64];
  size_t pitch;
  checkCudaErrors(cudaMallocPitch((void **)&u, &pitch, 64 * 4, 2));
  bounds<<<1, 64, 0, st>>>(u, make_cudaExtent(1, 2, 3), make_int2(5, 6));
  cudaStreamSynchronize(st);
  cudaMemcpy2D(hu, 256, u, pitch, 256, 1, cudaMemcpyDeviceToHost);
  bad += hu[9].x != 9 || hu[9].y != 5 || hu[9].w != 3;
  int grid, block;
  checkCudaErrors(
      cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounds, 0, 0));
  bad += block <= 0 || block > 256 || grid <= 0;
  cudaPointerAttributes pa;
  cudaPointerGetAttributes(&pa, u);
  bad += pa.type != cudaMemoryTypeDevice;
  bounds<<<1, 2048>>>(u, make_cudaExtent(1, 2, 3), make_int2(5, 6));
  bad += cudaGetLastError() != cudaErrorInvalidConfiguration;
  cudaFuncAttributes fa;
  cudaFuncGetAttributes(&fa, bounds);
  bad += fa.maxThreadsPerBlock != 256;
  int v;
  cudaDeviceGetAttribute(&v, cudaDevAttrMultiProcessorCount, 0);
  bad += v != prop.multiProcessorCount;
  cudaDeviceReset();
  printf(bad ? "FAILED %d\n" : "PASSED\n", bad);
  return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
