// Static device and constant variables.
#include <cstdio>
static __device__ int a;
static __constant__ int b[3];
__global__ static void k(int *o) { o[0] = a + b[2]; }
int main() {
  int x = 5, y[3] = {1, 2, 3}, *o, h;
  cudaMemcpyToSymbol(a, &x, 4);
  cudaMemcpyToSymbol(b, y, 12);
  cudaMalloc(&o, 4);
  k<<<1, 1>>>(o);
  cudaMemcpy(&h, o, 4, cudaMemcpyDeviceToHost);
  printf("%s\n", h == 8 ? "PASSED" : "wrong");
}
