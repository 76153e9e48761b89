#include <cstdio>
#include <cuda_runtime.h>
__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
int main() {
  const int n = 1000;
  float a[n], b[n], c[n], *da, *db, *dc;
  for (int i = 0; i < n; ++i)
    a[i] = i, b[i] = 2 * i;
  cudaMalloc(&da, sizeof a);
  cudaMalloc(&db, sizeof a);
  cudaMalloc(&dc, sizeof a);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof a, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
  cudaMemcpy(c, dc, sizeof a, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    if (c[i] != 3 * i) {
      printf("wrong at %d: %g\n", i, c[i]);
      return 1;
    }
  printf("PASSED\n");
}
