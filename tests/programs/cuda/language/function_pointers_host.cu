// Device functions' addresses that the host reads from device variables and
// gives to kernels, one of them with a warp operation.
#include <cstdio>
typedef int (*F)(int);
__device__ int twice(int x) { return 2 * x; }
__device__ int shuffled(int x) { return __shfl_xor_sync(0xffffffff, x, 1); }
__device__ F d_f = twice;
__device__ F d_g = shuffled;
__global__ void k(int *o, F f) { o[threadIdx.x] = f(threadIdx.x); }
int main() {
  F f, g;
  int *o, h[64];
  cudaMemcpyFromSymbol(&f, d_f, sizeof f);
  cudaMemcpyFromSymbol(&g, d_g, sizeof g);
  cudaMalloc(&o, sizeof h);
  k<<<1, 64>>>(o, f);
  cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i)
    if (h[i] != 2 * i) {
      puts("wrong f");
      return 1;
    }
  k<<<1, 64>>>(o, g);
  cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i)
    if (h[i] != (i ^ 1)) {
      puts("wrong g");
      return 1;
    }
  puts("PASSED");
}
