//===- host_math.c - device functions in procedures for both sides --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mathematical functions of cudadevice on the host, which calls them in
// procedures with attributes(host,device), but for those that the CPU engine
// has no instruction for: they are device/cpu/functions.c, which the library
// has compiled for the host too. What only threads of a kernel have (votes,
// atomics, fences) is not here.
//
//===----------------------------------------------------------------------===//

#include "device/ranges.h"
#include <math.h>

// As in device/math/number-bits.h, whose functions functions.c has.
typedef long long i64;
typedef unsigned long long u64;
typedef unsigned int u32;

// What device/cpu/functions.c calls __nv_sin and __nv_cos in that library.
double __cufort_host_sin(double x) { return sin(x); }
double __cufort_host_cos(double x) { return cos(x); }

//===----------------------------------------------------------------------===//
// Rounding to nearest
//===----------------------------------------------------------------------===//

double __nv_dadd_rn(double a, double b) { return a + b; }
double __nv_dmul_rn(double a, double b) { return a * b; }
double __nv_ddiv_rn(double a, double b) { return a / b; }
double __nv_drcp_rn(double a) { return 1 / a; }
double __nv_dsqrt_rn(double a) { return sqrt(a); }
double __nv_fma_rn(double a, double b, double c) { return fma(a, b, c); }
float __nv_fadd_rn(float a, float b) { return a + b; }
float __nv_fmul_rn(float a, float b) { return a * b; }
float __nv_fdiv_rn(float a, float b) { return a / b; }
float __nv_frcp_rn(float a) { return 1 / a; }
float __nv_fsqrt_rn(float a) { return sqrtf(a); }
float __nv_fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
double __nv_rsqrt(double a) { return 1 / sqrt(a); }
float __nv_rsqrtf(float a) { return (float)(1 / sqrt((double)a)); }

//===----------------------------------------------------------------------===//
// The fast forms
//===----------------------------------------------------------------------===//

float __nv_fast_sinf(float x) { return sinf(x); }
float __nv_fast_cosf(float x) { return cosf(x); }
float __nv_fast_tanf(float x) { return tanf(x); }
float __nv_fast_expf(float x) { return expf(x); }
float __nv_fast_exp10f(float x) { return powf(10, x); }
float __nv_fast_logf(float x) { return logf(x); }
float __nv_fast_log2f(float x) { return log2f(x); }
float __nv_fast_log10f(float x) { return log10f(x); }
float __nv_fast_powf(float x, float y) { return powf(x, y); }
float __nv_fast_fdividef(float x, float y) { return x / y; }
void __nv_fast_sincosf(float x, float *s, float *c) {
  *s = sinf(x);
  *c = cosf(x);
}
void __nv_sincosf(float x, float *s, float *c) { __nv_fast_sincosf(x, s, c); }
void __nv_sincos(double x, double *s, double *c) {
  *s = sin(x);
  *c = cos(x);
}

//===----------------------------------------------------------------------===//
// The module libm
//===----------------------------------------------------------------------===//

double exp10(double x); // GNU's
float exp10f(float x);

#define ONE_SINGLE(name)                                                       \
  float __nv_##name##f(float x) { return name##f(x); }
#define ONE(name)                                                              \
  double __nv_##name(double x) { return name(x); }                             \
  ONE_SINGLE(name)
#define TWO(name)                                                              \
  double __nv_##name(double x, double y) { return name(x, y); }                \
  float __nv_##name##f(float x, float y) { return name##f(x, y); }
#define WHOLE(name)                                                            \
  i64 __nv_##name(double x) { return name(x); }                                \
  i64 __nv_##name##f(float x) { return name##f(x); }
#define SCALED(name)                                                           \
  double __nv_##name(double x, int n) { return name(x, n); }                   \
  float __nv_##name##f(float x, int n) { return name##f(x, n); }
ONE(cbrt)
ONE(ceil)
ONE(exp2)
ONE(exp10)
ONE(expm1)
ONE(fabs)
ONE(lgamma)
ONE(log1p)
ONE(log2)
ONE(logb)
ONE(nearbyint)
ONE(rint)
ONE(round)
ONE(tgamma)
ONE(trunc)
ONE_SINGLE(acos)
ONE_SINGLE(acosh)
ONE_SINGLE(asin)
ONE_SINGLE(asinh)
ONE_SINGLE(atan)
ONE_SINGLE(atanh)
ONE_SINGLE(cos)
ONE_SINGLE(cosh)
ONE_SINGLE(erf)
ONE_SINGLE(erfc)
ONE_SINGLE(exp)
ONE_SINGLE(floor)
ONE_SINGLE(log)
ONE_SINGLE(log10)
ONE_SINGLE(sin)
ONE_SINGLE(sinh)
ONE_SINGLE(sqrt)
ONE_SINGLE(tan)
ONE_SINGLE(tanh)
TWO(copysign)
TWO(fdim)
TWO(fmax)
TWO(fmin)
TWO(fmod)
TWO(nextafter)
TWO(pow)
TWO(remainder)
SCALED(ldexp)
SCALED(scalbn)
float __nv_atan2f(float y, float x) { return atan2f(y, x); }
float __nv_hypotf(float x, float y) { return hypotf(x, y); }
double __nv_fma(double x, double y, double z) { return fma(x, y, z); }
float __nv_fmaf(float x, float y, float z) { return fmaf(x, y, z); }
int __nv_ilogb(double x) { return ilogb(x); }
int __nv_ilogbf(float x) { return ilogbf(x); }
WHOLE(llrint)
WHOLE(llround)
double __nv_frexp(double x, int *n) { return frexp(x, n); }
float __nv_frexpf(float x, int *n) { return frexpf(x, n); }
double __nv_modf(double x, double *whole) { return modf(x, whole); }
float __nv_modff(float x, float *whole) { return modff(x, whole); }
double __nv_remquo(double x, double y, int *n) { return remquo(x, y, n); }
float __nv_remquof(float x, float y, int *n) { return remquof(x, y, n); }

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

int __nv_clz(int x) { return x ? __builtin_clz((u32)x) : 32; }
int __nv_clzll(i64 x) { return x ? __builtin_clzll((u64)x) : 64; }
int __nv_ffs(int x) { return __builtin_ffs(x); }
int __nv_ffsll(i64 x) { return __builtin_ffsll(x); }
int __nv_popc(int x) { return __builtin_popcount((u32)x); }
int __nv_popcll(i64 x) { return __builtin_popcountll((u64)x); }
int __nv_brev(int x) { return (int)__builtin_bitreverse32((u32)x); }
i64 __nv_brevll(i64 x) { return (i64)__builtin_bitreverse64((u64)x); }
int __nv_mulhi(int a, int b) { return (int)((i64)a * b >> 32); }
int __nv_umulhi(int a, int b) { return (int)((u64)(u32)a * (u32)b >> 32); }
i64 __nv_mul64hi(i64 a, i64 b) { return (i64)((__int128)a * b >> 64); }
i64 __nv_umul64hi(i64 a, i64 b) {
  return (i64)((unsigned __int128)(u64)a * (u64)b >> 64);
}
int __nv_signbitd(double x) { return signbit(x) != 0; }
int __nv_signbitf(float x) { return signbit(x) != 0; }

//===----------------------------------------------------------------------===//
// Conversions; those that round down, up or to zero are in
// device/cpu/functions.c
//===----------------------------------------------------------------------===//

/// As on a GPU: what no integer can be is the nearest one, and 0 for a NaN.
#define TO_INTEGER(name, From, To, round, least, most)                         \
  To name(From x) {                                                            \
    if (x != x)                                                                \
      return 0;                                                                \
    x = round(x);                                                              \
    if (x <= (From)(least))                                                    \
      return least;                                                            \
    return x >= (From)(most) ? most : (To)x;                                   \
  }
#define INT_LEAST (-2147483647 - 1)
#define LONG_LEAST (-9223372036854775807ll - 1)
TO_INTEGER(__nv_float2int_rn, float, int, rintf, INT_LEAST, 2147483647)
TO_INTEGER(__nv_float2int_rz, float, int, truncf, INT_LEAST, 2147483647)
TO_INTEGER(__nv_double2int_rn, double, int, rint, INT_LEAST, 2147483647)
TO_INTEGER(__nv_double2int_rz, double, int, trunc, INT_LEAST, 2147483647)
TO_INTEGER(__nv_float2ll_rn, float, i64, rintf, LONG_LEAST,
           9223372036854775807ll)
TO_INTEGER(__nv_float2ll_rz, float, i64, truncf, LONG_LEAST,
           9223372036854775807ll)
TO_INTEGER(__nv_double2ll_rn, double, i64, rint, LONG_LEAST,
           9223372036854775807ll)
TO_INTEGER(__nv_double2ll_rz, double, i64, trunc, LONG_LEAST,
           9223372036854775807ll)
TO_INTEGER(__nv_float2uint_rz, float, u32, truncf, 0, 4294967295u)
TO_INTEGER(__nv_double2uint_rz, double, u32, trunc, 0, 4294967295u)
TO_INTEGER(__nv_float2ull_rz, float, u64, truncf, 0, 18446744073709551615ull)
TO_INTEGER(__nv_double2ull_rz, double, u64, trunc, 0, 18446744073709551615ull)

float __nv_double2float_rn(double x) { return (float)x; }
double __nv_int2double_rn(int x) { return x; }
float __nv_int2float_rn(int x) { return (float)x; }
double __nv_ll2double_rn(i64 x) { return (double)x; }
float __nv_ll2float_rn(i64 x) { return (float)x; }
double __nv_uint2double_rn(u32 x) { return x; }
float __nv_uint2float_rn(u32 x) { return (float)x; }
double __nv_ull2double_rn(u64 x) { return (double)x; }
float __nv_ull2float_rn(u64 x) { return (float)x; }
