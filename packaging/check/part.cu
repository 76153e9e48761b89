#include <cstdio>
__global__ void write(int *x) { *x = 42; }
extern "C" int answer() {
  int *x, y = 0;
  cudaMalloc(&x, sizeof(int));
  write<<<1, 1>>>(x);
  cudaMemcpy(&y, x, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(x);
  return y;
}
#ifdef ALONE
int main() { std::printf("answer %d\n", answer()); }
#endif
