#include <cstdio>
__device__ int triple(int);
extern __device__ int factor;
__global__ void ask(int *out) {
  out[0] = triple(7);
  out[1] = out[0] * factor;
}
int main() {
  int *out, h[2];
  cudaMalloc(&out, sizeof(h));
  ask<<<1, 1>>>(out);
  cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[1]);
}
