// The buffer of printf is circular and has the size that the program has set
// (guide B.14.2 and B.14.3); it is printed when the host waits.
// EXPECT: before
// EXPECT: last 999
// EXPECT: PASSED
#include <cstdio>
__global__ void much() {
  for (int i = 0; i < 1000; ++i)
    printf("%s %d\n", i == 999 ? "last" : "line", i);
}
__global__ void one(int *r) { r[0] = printf("%d %d %d\n", 1, 2, 3); }
int main() {
  size_t size = 0;
  if (cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4096) != cudaSuccess)
    return 1;
  if (cudaDeviceGetLimit(&size, cudaLimitPrintfFifoSize) != cudaSuccess ||
      size < 4096)
    return 2;
  much<<<1, 1>>>();
  printf("before\n");
  fflush(stdout);
  cudaDeviceSynchronize();
  int *r, h;
  cudaMalloc(&r, 4);
  one<<<1, 1>>>(r);
  cudaMemcpy(&h, r, 4, cudaMemcpyDeviceToHost);
  fflush(stdout);
  if (h == 3)
    printf("PASSED\n");
}
