#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void halves(const half *a, const half *b, half *c, half2 *d,
                       float *s) {
  int i = threadIdx.x;
  half x = a[i], y = b[i];
  c[i] = __hfma(x, y, __hadd(x, __float2half(1.0f))) + hsqrt(y) - x / y;
  half2 v = __halves2half2(x, y);
  d[i] = __hfma2(v, __float2half2_rn(2.0f), v);
  half sum = x;
  for (int k = 16; k; k /= 2)
    sum = sum + __shfl_down_sync(~0u, sum, k);
  if (i == 0)
    s[0] = __half2float(sum);
  atomicAdd((half *)(s + 1), __int2half_rn(1));
}
__global__ void brains(const __nv_bfloat16 *a, __nv_bfloat16 *c) {
  int i = threadIdx.x;
  c[i] = __hmul(a[i], a[i]) + __float2bfloat16(0.5f);
}
int main() {
  half ha[32], hb[32], hc[32], *a, *b, *c;
  half2 hd[32], *d;
  float hs[2], *s;
  for (int i = 0; i < 32; ++i)
    ha[i] = __float2half(i * 0.25f), hb[i] = half(1.0f + i);
  cudaMalloc(&a, 64);
  cudaMalloc(&b, 64);
  cudaMalloc(&c, 64);
  cudaMalloc(&d, 128);
  cudaMalloc(&s, 8);
  cudaMemset(s, 0, 8);
  cudaMemcpy(a, ha, 64, cudaMemcpyHostToDevice);
  cudaMemcpy(b, hb, 64, cudaMemcpyHostToDevice);
  halves<<<1, 32>>>(a, b, c, d, s);
  cudaMemcpy(hc, c, 64, cudaMemcpyDeviceToHost);
  cudaMemcpy(hd, d, 128, cudaMemcpyDeviceToHost);
  cudaMemcpy(hs, s, 8, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < 32; ++i) {
    float x = i * 0.25f, y = 1.0f + i, want = x * y + x + 1 + sqrtf(y) - x / y;
    if (fabsf(__half2float(hc[i]) - want) > want * 4e-3f)
      ++bad, printf("%d: %g %g\n", i, __half2float(hc[i]), want);
    if (__low2float(hd[i]) != 3 * x || __high2float(hd[i]) != 3 * y)
      ++bad, printf("%d: pair\n", i);
  }
  if (hs[0] != 124)
    ++bad, printf("sum %g\n", hs[0]);
  half ones;
  memcpy(&ones, hs + 1, 2);
  if ((float)ones != 32)
    ++bad, printf("atomic %g\n", (float)ones);
  __nv_bfloat16 hx[32], *x, *z;
  cudaMalloc(&x, 64);
  cudaMalloc(&z, 64);
  for (int i = 0; i < 32; ++i)
    hx[i] = (float)i;
  cudaMemcpy(x, hx, 64, cudaMemcpyHostToDevice);
  brains<<<1, 32>>>(x, z);
  cudaMemcpy(hx, z, 64, cudaMemcpyDeviceToHost);
  if ((float)hx[4] != 16.5f || (float)hx[31] != 960)
    ++bad, printf("%g %g\n", (float)hx[4], (float)hx[31]);
  if (!bad)
    printf("PASSED\n");
}
