// After cudaDeviceReset the variables have their initial values again, also
// pointers to other variables, on each device.
#include <cstdio>
#include <cuda_runtime.h>
__device__ int x = 4;
__device__ int *px = &x;
__constant__ int c[3] = {1, 2, 3};
__device__ int out[4];
__global__ void change() {
  *px = 9;
  px = &out[3];
}
__global__ void look() {
  out[0] = *px;
  out[1] = x;
  out[2] = c[2];
  out[3] = px == &x;
}
int main() {
  int bad = 0;
  for (int d = 0; d < 2; ++d) {
    int n;
    cudaGetDeviceCount(&n);
    if (d >= n)
      break;
    cudaSetDevice(d);
    for (int r = 0; r < 3; ++r) {
      int h[4], cc[3] = {7, 8, 9};
      look<<<1, 1>>>();
      cudaMemcpyFromSymbol(h, out, 16);
      if (h[0] != 4 || h[1] != 4 || h[2] != 3 || h[3] != 1) {
        bad = 1;
        printf("bad %d %d %d %d\n", h[0], h[1], h[2], h[3]);
      }
      change<<<1, 1>>>();
      cudaMemcpyToSymbol(c, cc, 12);
      look<<<1, 1>>>();
      cudaMemcpyFromSymbol(h, out, 16);
      if (h[1] != 9 || h[2] != 9 || h[3] != 0) {
        bad = 1;
        printf("bad2 %d %d %d %d\n", h[0], h[1], h[2], h[3]);
      }
      if (cudaDeviceReset())
        bad = 1;
    }
  }
  puts(bad ? "FAILED" : "PASSED");
  return bad;
}
