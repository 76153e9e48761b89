// Half precision and bfloat16: comparisons with NaNs, masks, results within
// limits, conversions in a chosen direction; in kernels and on the host.
#include "../../Inputs/check.h"
#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

constexpr int Most = 64;

template <class T, class Pair>
__host__ __device__ int common(float *out, T nan, T infinity) {
  int n = 0;
  const T one(1.0f), two(2.0f), minus(-3.0f);
  // Where a number is NaN: the plain ones are false, those with a u true.
  out[n++] = __heq(nan, one) || __hne(nan, one) || __hlt(nan, one) ||
             __hle(nan, one) || __hgt(nan, one) || __hge(nan, nan);
  out[n++] = __hequ(nan, one) && __hneu(nan, one) && __hltu(nan, one) &&
             __hleu(nan, one) && __hgtu(nan, one) && __hgeu(nan, nan);
  out[n++] = __hne(one, two) && __hneu(one, two) && __hltu(one, two) &&
             !__hequ(one, two) && !__hgeu(one, two) && nan != one;
  const Pair a(one, nan), b(two, two);
  out[n++] = __hlt2_mask(a, b) == 0xffffu && __hltu2_mask(a, b) == ~0u &&
             __hne2_mask(b, a) == 0xffffu && __heq2_mask(b, b) == ~0u;
  out[n++] = (float)__hne2(a, b).y + 2 * (float)__hneu2(a, b).y +
             4 * (float)__hisnan2(a).y + 8 * (float)__hisnan2(a).x;
  out[n++] = !__hbne2(a, b) && __hbneu2(a, b);
  out[n++] = __hisnan(__hmax_nan(one, nan)) && __hisnan(__hmin_nan(nan, one));
  out[n++] = (float)__hmax_nan(one, two) + (float)__hmin_nan(minus, two);
  out[n++] = (float)__hmax(one, nan);
  // Between 0 and 1, not below 0.
  out[n++] = (float)__hadd_sat(one, two) + (float)__hsub_sat(one, two) +
             (float)__hmul_sat(nan, two) + (float)__hfma_sat(one, two, minus);
  out[n++] = (float)__hadd2_sat(Pair(one, minus), b).x +
             (float)__hmul2_sat(Pair(one, minus), b).y +
             (float)__hsub2_sat(Pair(infinity, two), b).x;
  out[n++] =
      (float)__hfma_relu(one, two, minus) + (float)__hfma_relu(two, two, one);
  out[n++] = __hisnan(__hfma_relu(nan, two, minus));
  out[n++] = (float)__hfma2_relu(Pair(one, two), b, Pair(minus, minus)).y;
  // (1 + 2i) (2 - 3i) + (1 + 1i)
  const Pair product =
      __hcmadd(Pair(one, two), Pair(two, minus), Pair(one, one));
  out[n++] = (float)product.x;
  out[n++] = (float)product.y;
  return n;
}

__host__ __device__ int all(float *out) {
  int n = common<__half, __half2>(out, __ushort_as_half(0x7e00), __half(1e30f));
  n += common<__nv_bfloat16, __nv_bfloat162>(
      out + n, __ushort_as_bfloat16(0x7fc0), __ushort_as_bfloat16(0x7f80));
  out[n++] = (float)__float2half_rz(1.9999f);
  out[n++] = (float)__float2half_rz(-1.9999f);
  out[n++] = (float)__float2half_rd(-1.00001f);
  out[n++] = (float)__float2half_ru(1.00001f);
  out[n++] = (float)__float2half_ru(-1.9999f);
  out[n++] = (float)__float2half_rd(1e6f);
  out[n++] = (float)__float2half_ru(1e-9f);
  out[n++] = (float)__float2half_rd(-1e-9f);
  out[n++] = (float)__int2half_rz(-70000);
  out[n++] = (float)__int2half_ru(2049);
  out[n++] = (float)__ull2half_rd(4099ull);
  out[n++] = (float)__float2bfloat16_rz(1.9999f);
  out[n++] = (float)__float2bfloat16_ru(1.00001f);
  return n;
}

__global__ void kernel(float *out, int *n) { *n = all(out); }

static void compare(const char *where, const float *out) {
  const float common[] = {0, 1, 1, 1, 6, 1, 1, -1, 1, 1, 2, 5, 1, 1, 9, 2};
  const float rest[] = {1.9990234375f, -1.9990234375f, -1.0009765625f,
                        1.0009765625f, -1.9990234375f, 65504,
                        0x1p-24f,      -0x1p-24f,      -65504,
                        2050,          4096,           1.9921875f,
                        1.0078125f};
  for (int i = 0; i < 45; ++i) {
    const float want = i < 32 ? common[i % 16] : rest[i - 32];
    if (out[i] != want) {
      std::printf("%s, %d: %.9g, not %.9g\n", where, i, out[i], want);
      std::exit(1);
    }
  }
}

int main() {
  float here[Most], *there;
  int *n;
  CHECK(cudaMallocManaged(&there, sizeof(here)));
  CHECK(cudaMallocManaged(&n, sizeof(int)));
  EXPECT(all(here) == 45);
  compare("host", here);
  kernel<<<1, 1>>>(there, n);
  CHECK(cudaDeviceSynchronize());
  EXPECT(*n == 45);
  compare("kernel", there);
  std::printf("PASSED\n");
}
