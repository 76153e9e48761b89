// Dot products of bytes, loads and stores with cache hints.
#include <cstdio>
__global__ void k(int *o, unsigned *u, float *f) {
  o[0] = __dp4a(0x01ff0203, 0x02020202, 5);
  u[0] = __dp4a(0x01ff0203u, 0x02020202u, 5u);
  __stcg(f + 1, __ldca(f) + 1);
  __stcs(o + 1, 7);
}
int main() {
  int *o, h[2];
  unsigned *u, v;
  float *f, g = 4;
  cudaMalloc(&o, 8);
  cudaMalloc(&u, 4);
  cudaMalloc(&f, 8);
  cudaMemcpy(f, &g, 4, cudaMemcpyHostToDevice);
  k<<<1, 1>>>(o, u, f);
  cudaMemcpy(h, o, 8, cudaMemcpyDeviceToHost);
  cudaMemcpy(&v, u, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(&g, f + 1, 4, cudaMemcpyDeviceToHost);
  if (h[0] == 15 && v == 527 && g == 5 && h[1] == 7)
    printf("PASSED\n");
  else
    printf("%d %u %g\n", h[0], v, g);
}
