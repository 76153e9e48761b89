#include <cuda_runtime.h>
__global__ void race(const float *a, float *b) {
  __shared__ float s[128];
  s[threadIdx.x] = a[threadIdx.x];
  b[threadIdx.x] = s[127 - threadIdx.x];
}
int main() {
  float *a, *b;
  cudaMalloc(&a, 128 * sizeof(float));
  cudaMalloc(&b, 128 * sizeof(float));
  cudaMemset(a, 0, 128 * sizeof(float));
  race<<<1, 128>>>(a, b);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
}
