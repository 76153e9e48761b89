#include <cstdio>
__global__ void one(int *r) { *r = 42; }
int main() {
  int *r;
  cudaMallocManaged(&r, sizeof(int));
  one<<<1, 1>>>(r);
  cudaDeviceSynchronize();
  printf("alone %d\n", *r);
}
