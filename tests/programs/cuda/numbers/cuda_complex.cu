// cuComplex.h on both sides, and std::complex on the device.
#include <complex>
#include <cstdio>
#include <cuComplex.h>
#include <cuda_profiler_api.h>
__global__ void work(const cuDoubleComplex *a, cuDoubleComplex *b,
                     cuFloatComplex *c, float *s) {
  int i = threadIdx.x;
  cuDoubleComplex x = a[i];
  b[i] = cuCdiv(cuCmul(x, cuConj(x)), make_cuDoubleComplex(0, 2));
  c[i] = cuCfmaf(cuComplexDoubleToFloat(x), make_cuComplex(1, 1),
                 make_cuComplex(cuCabsf(make_cuComplex(3, 4)), 0));
  std::complex<float> z(i, 1);
  z = z * z + std::complex<float>(1, 0);
  s[i] = z.real() + 10 * z.imag();
}
int main() {
  cuDoubleComplex ha[32], hb[32], *a, *b;
  cuFloatComplex hc[32], *c;
  float hs[32], *s;
  for (int i = 0; i < 32; ++i)
    ha[i] = make_cuDoubleComplex(i, -i);
  cudaMalloc(&a, sizeof(ha)), cudaMalloc(&b, sizeof(hb));
  cudaMalloc(&c, sizeof(hc)), cudaMalloc(&s, sizeof(hs));
  cudaMemcpy(a, ha, sizeof(ha), cudaMemcpyHostToDevice);
  work<<<1, 32>>>(a, b, c, s);
  cudaMemcpy(hb, b, sizeof(hb), cudaMemcpyDeviceToHost);
  cudaMemcpy(hc, c, sizeof(hc), cudaMemcpyDeviceToHost);
  cudaMemcpy(hs, s, sizeof(hs), cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < 32; ++i)
    bad += cuCreal(hb[i]) != 0 || cuCimag(hb[i]) != -i * i ||
           cuCrealf(hc[i]) != 2 * i + 5 || cuCimagf(hc[i]) != 0 ||
           hs[i] != i * i + 20 * i;
  printf(bad ? "%d wrong\n" : "PASSED\n", bad);
}
