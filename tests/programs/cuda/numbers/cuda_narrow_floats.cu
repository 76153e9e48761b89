// Numbers of 6 and 4 bits and powers of two in 8 (cuda_fp6.h, cuda_fp4.h,
// cuda_fp8.h): every one there and back, every direction of rounding, two and
// four of them, integers, in kernels and on the host.
#include "../../Inputs/count.h"
#include <cmath>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

/// A format by its definition.
struct Format {
  int bits, fraction, bias;
  int codes() const { return 1 << (bits - 1); }
  double size(int code) const {
    int exponent = code >> fraction, rest = code & ((1 << fraction) - 1);
    return exponent
               ? std::ldexp(1 + std::ldexp(rest, -fraction), exponent - bias)
               : std::ldexp(rest, 1 - bias - fraction);
  }
  double value(int code) const {
    double a = size(code & (codes() - 1));
    return code & codes() ? -a : a;
  }
  /// By trying all.
  int rounded(double x, cudaRoundMode rounding) const {
    if (x != x)
      return codes() - 1;
    bool negative = std::signbit(x),
         up = rounding == (negative ? cudaRoundMinInf : cudaRoundPosInf);
    const double wanted = std::fmin(std::fabs(x), size(codes() - 1));
    int best = 0;
    for (int code = 0; code < codes(); ++code) {
      double d = std::fabs(size(code) - wanted),
             to = std::fabs(size(best) - wanted);
      if (rounding == cudaRoundNearest
              ? d < to || (d == to && code % 2 == 0)
              : size(code) <= wanted || (up && size(code - 1) < wanted))
        best = code;
    }
    return negative ? best | codes() : best;
  }
};
static const Format e2m3 = {6, 3, 1}, e3m2 = {6, 2, 3}, e2m1 = {4, 1, 1};

constexpr int n = 1024;
constexpr cudaRoundMode modes[] = {cudaRoundNearest, cudaRoundZero,
                                   cudaRoundPosInf, cudaRoundMinInf};
struct All {
  float e2m3[64], e3m2[64], e2m1[16], half[64], bf16[64], e8m0[256];
  unsigned char to23[4][n], to32[4][n], to21[4][n], from[3][n], up[n], down[n],
      again[256];
  float4 four6, four4, four8;
  unsigned int packed4, packed6;
  int integers[8];
};

__host__ __device__ void convert(All &all, const double *in, int i) {
  if (i < 64) {
    __nv_fp6_e2m3 a;
    __nv_fp6_e3m2 b;
    a.__x = b.__x = i;
    all.e2m3[i] = (float)a;
    all.e3m2[i] = (double)b;
    all.half[i] = __half2float(
        __half(__nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)i, __NV_E2M3)));
    all.bf16[i] = (float)(__nv_bfloat16)b;
  }
  if (i < 16) {
    __nv_fp4_e2m1 c;
    c.__x = i;
    all.e2m1[i] = (float)c;
  }
  if (i < 256) {
    __nv_fp8_e8m0 d;
    d.__x = i;
    all.e8m0[i] = (float)d;
    all.again[i] = __nv_fp8_e8m0((float)d).__x;
  }
  for (int m = 0; m < 4; ++m) {
    const cudaRoundMode mode = (cudaRoundMode)m;
    all.to23[m][i] = __nv_cvt_double_to_fp6(in[i], __NV_E2M3, mode);
    all.to32[m][i] = __nv_cvt_float_to_fp6((float)in[i], __NV_E3M2, mode);
    all.to21[m][i] = __nv_cvt_double_to_fp4(in[i], __NV_E2M1, mode);
  }
  all.from[0][i] = __nv_fp6_e2m3(__half((float)in[i])).__x;
  all.from[1][i] = __nv_fp6_e3m2(__nv_bfloat16((float)in[i])).__x;
  all.from[2][i] = __nv_fp4_e2m1((float)in[i]).__x;
  all.up[i] = __nv_fp8_e8m0(in[i]).__x;
  all.down[i] = __nv_cvt_double_to_e8m0(in[i], __NV_NOSAT, cudaRoundZero);
  if (i == 0) {
    const float4 four = make_float4(1, -2, 1e9f, 0.3f);
    const __nv_fp4x4_e2m1 narrow(four);
    all.four6 = (float4)__nv_fp6x4_e3m2(four);
    all.four4 = (float4)narrow;
    all.four8 = (float4)__nv_fp8x4_e8m0(four);
    all.packed4 = narrow.__x | sizeof narrow << 16;
    all.packed6 = __nv_fp6x2_e2m3(make_double2(1.5, -0.125)).__x;
    all.integers[0] = (int)__nv_fp6_e3m2(-100);
    all.integers[1] = (unsigned char)__nv_fp6_e3m2(-3ll);
    all.integers[2] = (signed char)__nv_fp8_e5m2(1000ul);
    all.integers[3] = (short)__nv_fp8_e5m2((unsigned short)50000);
    all.integers[4] = (bool)__nv_fp4_e2m1(-0.0) + 2 * (bool)__nv_fp4_e2m1(1);
    all.integers[5] = __nv_fp8_e8m0((1ull << 60) + 1).__x;
    all.integers[6] = __nv_fp8_e8m0(-4).__x;
    all.integers[7] = (bool)__nv_fp8_e8m0(0.0f);
  }
}
__global__ void kernel(All *all, const double *in) {
  convert(*all, in, threadIdx.x);
}

static void check(const All &all, const double *in) {
  for (int i = 0; i < 64; ++i) {
    CHECK(all.e2m3[i] == e2m3.value(i) && all.half[i] == e2m3.value(i));
    CHECK(all.e3m2[i] == e3m2.value(i) && all.bf16[i] == e3m2.value(i));
  }
  for (int i = 0; i < 16; ++i)
    CHECK(all.e2m1[i] == e2m1.value(i));
  for (int i = 0; i < 255; ++i)
    CHECK(all.e8m0[i] == std::ldexp(1.0, i - 127) && all.again[i] == i);
  CHECK(all.e8m0[255] != all.e8m0[255] && all.again[255] == 255);
  for (int i = 0; i < n; ++i) {
    const double x = in[i];
    const float near = (float)x;
    for (int m = 0; m < 4; ++m) {
      CHECK(all.to23[m][i] == e2m3.rounded(x, modes[m]));
      CHECK(all.to32[m][i] == e3m2.rounded(near, modes[m]));
      CHECK(all.to21[m][i] == e2m1.rounded(x, modes[m]));
    }
    CHECK(all.from[0][i] ==
          e2m3.rounded((float)__half(near), cudaRoundNearest));
    CHECK(all.from[1][i] ==
          e3m2.rounded((float)__nv_bfloat16(near), cudaRoundNearest));
    CHECK(all.from[2][i] == e2m1.rounded(near, cudaRoundNearest));
    // A power of two by its logarithm; 2^-127 is the smallest.
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(x), &exponent);
    const int down = x != x            ? 255
                     : std::isinf(x)   ? 255
                     : x == 0          ? 0
                     : exponent < -126 ? 0
                     : exponent > 128  ? 254
                                       : exponent - 1 + 127;
    const int up = x != x                     ? 255
                   : std::fabs(x) > 0x1p127   ? 254
                   : std::fabs(x) <= 0x1p-127 ? 0
                   : fraction == 0.5          ? exponent - 1 + 127
                                              : exponent + 127;
    CHECK(all.down[i] == down);
    CHECK(all.up[i] == up);
  }
  CHECK(all.four6.x == 1 && all.four6.y == -2 && all.four6.z == 28 &&
        all.four6.w == 0.3125f);
  CHECK(all.four4.x == 1 && all.four4.y == -2 && all.four4.z == 6 &&
        all.four4.w == 0.5f);
  CHECK(all.four8.x == 1 && all.four8.y == 2 && all.four8.z == 1073741824.0f &&
        all.four8.w == 0.5f);
  CHECK(all.packed4 == 0x217c2u);
  CHECK(all.packed6 == 0x210cu);
  const int expected[] = {-28, 0, 127, 32767, 2, 127 + 61, 129, 1};
  for (int i = 0; i < 8; ++i)
    CHECK(all.integers[i] == expected[i]);
}

int main() {
  All *all, *host = new All();
  double *in;
  OK(cudaMallocManaged(&all, sizeof *all));
  OK(cudaMallocManaged(&in, n * sizeof *in));
  const double special[] = {0.0,       -0.0,     INFINITY,      -INFINITY,
                            NAN,       1e300,    -1e300,        1e-300,
                            -1e-300,   0x1p-127, 0x1.8p-127,    0x1p127,
                            0x1.8p127, 0x1p-126, 1.0625 + 1e-9, 0.25 - 1e-9};
  // Halves of the smallest steps, and what is beside them.
  for (int i = 0; i < n; ++i)
    in[i] = i < 16       ? special[i]
            : i % 3 == 0 ? (i - 512) / 32.0
                         : std::ldexp((i % 64 - 32) / 16.0, i % 11 - 5) *
                               (i % 3 == 1 ? 1 : 1 + 0x1p-40);
  kernel<<<1, n>>>(all, in);
  OK(cudaDeviceSynchronize());
  check(*all, in);
  for (int i = 0; i < n; ++i)
    convert(*host, in, i);
  check(*host, in);
  std::printf(bad ? "FAILED\n" : "PASSED\n");
  return bad != 0;
}
