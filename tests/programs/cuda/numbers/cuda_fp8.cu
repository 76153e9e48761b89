// Numbers of 8 bits (cuda_fp8.h): every one there and back, roundings, what is
// too large, in kernels and on the host.
#include "../../Inputs/count.h"
#include <cmath>
#include <cstring>
#include <cuda_fp8.h>

/// The value by the definition of the formats.
static double valueOf(int code, bool e4m3) {
  int fraction = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
  int exponent = (code & 0x7f) >> fraction, rest = code & ((1 << fraction) - 1);
  double size =
      exponent ? std::ldexp(1 + rest / (double)(1 << fraction), exponent - bias)
               : std::ldexp(rest, 1 - bias - fraction);
  if (e4m3 ? (code & 0x7f) == 0x7f : (code & 0x7f) > 0x7c)
    return NAN;
  if (!e4m3 && (code & 0x7f) == 0x7c)
    size = INFINITY;
  return code & 0x80 ? -size : size;
}
static bool same(double a, double b) {
  return a != a ? b != b : a == b && std::signbit(a) == std::signbit(b);
}

struct All {
  float e4m3[256], e5m2[256], half[256], rounded[1024];
  unsigned char again4[256], again5[256], doubles[1024];
  float4 four;
};
__global__ void convert(All *all, const double *in) {
  int i = threadIdx.x;
  if (i < 256) {
    __nv_fp8_e4m3 a;
    __nv_fp8_e5m2 b;
    a.__x = b.__x = i;
    all->e4m3[i] = (float)a;
    all->e5m2[i] = (float)b;
    all->half[i] = __half2float(__half(a)) + __half2float(__half(a));
    all->again4[i] = __nv_cvt_float_to_fp8((float)a, __NV_NOSAT, __NV_E4M3);
    all->again5[i] = __nv_cvt_float_to_fp8((float)b, __NV_NOSAT, __NV_E5M2);
  }
  all->rounded[i] = (float)__nv_fp8_e4m3((float)in[i]);
  all->doubles[i] = __nv_fp8_e5m2(in[i]).__x;
  if (i == 0)
    all->four = (float4)__nv_fp8x4_e5m2(make_float4(1, -2, 1e9f, 0.3f));
}

/// The nearest by trying all.
static int nearest(double x, bool e4m3) {
  int best = 0;
  for (int code = 0; code < (e4m3 ? 0x7f : 0x7c); ++code) {
    double d = std::fabs(valueOf(code, e4m3) - std::fabs(x)),
           to = std::fabs(valueOf(best, e4m3) - std::fabs(x));
    if (d < to || (d == to && code % 2 == 0))
      best = code;
  }
  return std::signbit(x) ? best | 0x80 : best;
}

int main() {
  static All h;
  static double in[1024];
  for (int i = 0; i < 1024; ++i) {
    in[i] =
        std::ldexp((i * 7919 % 2048) / 1024.0, i % 40 - 22) * (i % 3 ? 1 : -1);
    if (i % 5 == 0) // exactly between two
      in[i] = (valueOf(i / 9, true) + valueOf(i / 9 + 1, true)) / 2;
    if (in[i] != in[i])
      in[i] = 3;
  }
  in[5] = 0.5 * (1.0 + 1.25) + 1e-14; // a hair beyond the middle
  All *d;
  double *din;
  cudaMalloc(&d, sizeof(All));
  cudaMalloc(&din, sizeof(in));
  cudaMemcpy(din, in, sizeof(in), cudaMemcpyHostToDevice);
  convert<<<1, 1024>>>(d, din);
  CHECK(cudaMemcpy(&h, d, sizeof(All), cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int i = 0; i < 256; ++i) {
    CHECK(same(valueOf(i, true), h.e4m3[i]));
    CHECK(same(valueOf(i, false), h.e5m2[i]));
    CHECK(same(2 * valueOf(i, true), h.half[i]));
    CHECK(h.again4[i] == i || valueOf(i, true) != valueOf(i, true));
    CHECK(h.again5[i] == i || valueOf(i, false) != valueOf(i, false));
    __nv_fp8_e5m2 b;
    b.__x = i;
    CHECK(same(valueOf(i, false), (float)b));
  }
  for (int i = 0; i < 1024; ++i) {
    CHECK(h.rounded[i] == valueOf(nearest((float)in[i], true), true));
    CHECK(h.doubles[i] == nearest(in[i], false));
  }
  CHECK(h.four.x == 1 && h.four.y == -2 && h.four.z == 57344 &&
        h.four.w == 0.3125f);
  CHECK(__nv_cvt_float_to_fp8(1e9f, __NV_NOSAT, __NV_E4M3) == 0x7f);
  CHECK(__nv_cvt_float_to_fp8(-1e9f, __NV_NOSAT, __NV_E5M2) == 0xfc);
  CHECK(__nv_cvt_float_to_fp8(INFINITY, __NV_SATFINITE, __NV_E4M3) == 0x7e);
  CHECK((float)__nv_fp8_e4m3(-7) == -7 && (int)__nv_fp8_e4m3(300.0) == 288);
  __nv_fp8x2_e4m3 two(make_float2(0.5f, -3));
  CHECK(((float2)two).y == -3 && __half2float(((__half2)two).x) == 0.5f);
  printf(bad ? "FAILED\n" : "PASSED\n");
  return bad != 0;
}
