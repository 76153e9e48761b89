//===- math.c - the __nv_* functions on top of libclc ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device code calls mathematical functions by the names of NVIDIA's libdevice.
// Here they are without it: LLVM's libclc does the work under OpenCL's names,
// and what is one instruction of the GPU is that instruction. The types are
// those of libdevice. tests/gpu/math-names.test holds the list of what is
// expected here, tests/gpu/math-accuracy.test how accurate it is.
//
//===----------------------------------------------------------------------===//

#include "device/math/number-bits.h"

#define CLC(mangled) __asm__(mangled)

//===----------------------------------------------------------------------===//
// libclc's functions: `name` for double, `name`f for float
//===----------------------------------------------------------------------===//

// X(length of the name, name)
#define ONE_ARGUMENT(X)                                                        \
  X(3, cos)                                                                    \
  X(3, erf)                                                                    \
  X(3, log)                                                                    \
  X(3, sin)                                                                    \
  X(3, tan)                                                                    \
  X(4, acos)                                                                   \
  X(4, asin)                                                                   \
  X(4, atan)                                                                   \
  X(4, cbrt)                                                                   \
  X(4, cosh)                                                                   \
  X(4, log2)                                                                   \
  X(4, logb)                                                                   \
  X(4, sinh)                                                                   \
  X(4, tanh)                                                                   \
  X(5, acosh)                                                                  \
  X(5, asinh)                                                                  \
  X(5, atanh)                                                                  \
  X(5, cospi) X(5, exp10) X(5, expm1) X(5, log10) X(5, log1p) X(5, sinpi)

#define TWO_ARGUMENTS(X)                                                       \
  X(3, pow)                                                                    \
  X(4, fdim) X(5, atan2) X(5, hypot) X(9, nextafter) X(9, remainder)

#define DEFINE_ONE(length, name)                                               \
  double clc_##name(double) CLC("_Z" #length #name "d");                       \
  float clc_##name##f(float) CLC("_Z" #length #name "f");                      \
  double __nv_##name(double x) { return clc_##name(x); }                       \
  float __nv_##name##f(float x) { return clc_##name##f(x); }
ONE_ARGUMENT(DEFINE_ONE)

#define DEFINE_TWO(length, name)                                               \
  double clc_##name(double, double) CLC("_Z" #length #name "dd");              \
  float clc_##name##f(float, float) CLC("_Z" #length #name "ff");              \
  double __nv_##name(double x, double y) { return clc_##name(x, y); }          \
  float __nv_##name##f(float x, float y) { return clc_##name##f(x, y); }
TWO_ARGUMENTS(DEFINE_TWO)

// In single precision libclc makes zeros of results that are denormal numbers.
#define DEFINE_DOWN_TO(length, name, isSmall)                                  \
  double clc_##name(double) CLC("_Z" #length #name "d");                       \
  float clc_##name##f(float) CLC("_Z" #length #name "f");                      \
  double __nv_##name(double x) { return clc_##name(x); }                       \
  float __nv_##name##f(float x) {                                              \
    return isSmall ? (float)clc_##name(x) : clc_##name##f(x);                  \
  }
DEFINE_DOWN_TO(3, exp, x < -87)
DEFINE_DOWN_TO(4, exp2, x < -125)
DEFINE_DOWN_TO(4, erfc, x > 9)

double clc_pown(double, int) CLC("_Z4powndi");
float clc_pownf(float, int) CLC("_Z4pownfi");
double __nv_powi(double x, int n) { return clc_pown(x, n); }
float __nv_powif(float x, int n) { return clc_pownf(x, n); }

double clc_ldexp(double, int) CLC("_Z5ldexpdi");
float clc_ldexpf(float, int) CLC("_Z5ldexpfi");
double __nv_ldexp(double x, int n) { return clc_ldexp(x, n); }
float __nv_ldexpf(float x, int n) { return clc_ldexpf(x, n); }
double __nv_scalbn(double x, int n) { return clc_ldexp(x, n); }
float __nv_scalbnf(float x, int n) { return clc_ldexpf(x, n); }

int clc_ilogb(double) CLC("_Z5ilogbd");
int clc_ilogbf(float) CLC("_Z5ilogbf");
int __nv_ilogb(double x) { return clc_ilogb(x); }
int __nv_ilogbf(float x) { return clc_ilogbf(x); }

double clc_frexp(double, int *) CLC("_Z5frexpdPi");
float clc_frexpf(float, int *) CLC("_Z5frexpfPi");
double __nv_frexp(double x, int *n) { return clc_frexp(x, n); }
float __nv_frexpf(float x, int *n) { return clc_frexpf(x, n); }

double clc_modf(double, double *) CLC("_Z4modfdPd");
float clc_modff(float, float *) CLC("_Z4modffPf");
double __nv_modf(double x, double *whole) { return clc_modf(x, whole); }
float __nv_modff(float x, float *whole) { return clc_modff(x, whole); }

double clc_remquo(double, double, int *) CLC("_Z6remquoddPi");
float clc_remquof(float, float, int *) CLC("_Z6remquoffPi");
double __nv_remquo(double x, double y, int *n) { return clc_remquo(x, y, n); }
float __nv_remquof(float x, float y, int *n) { return clc_remquof(x, y, n); }

double clc_sincos(double, double *) CLC("_Z6sincosdPd");
float clc_sincosf(float, float *) CLC("_Z6sincosfPf");
void __nv_sincos(double x, double *s, double *c) { *s = clc_sincos(x, c); }
void __nv_sincosf(float x, float *s, float *c) { *s = clc_sincosf(x, c); }
void __nv_sincospi(double x, double *s, double *c) {
  *s = clc_sinpi(x);
  *c = clc_cospi(x);
}
void __nv_sincospif(float x, float *s, float *c) {
  *s = clc_sinpif(x);
  *c = clc_cospif(x);
}

//===----------------------------------------------------------------------===//
// What the compiler knows itself
//===----------------------------------------------------------------------===//

#define BUILTIN_ONE(name)                                                      \
  double __nv_##name(double x) { return __builtin_##name(x); }                 \
  float __nv_##name##f(float x) { return __builtin_##name##f(x); }
BUILTIN_ONE(ceil)
BUILTIN_ONE(fabs)
BUILTIN_ONE(floor)
BUILTIN_ONE(nearbyint)
BUILTIN_ONE(rint)
BUILTIN_ONE(round)
BUILTIN_ONE(trunc)

#define BUILTIN_TWO(name)                                                      \
  double __nv_##name(double x, double y) { return __builtin_##name(x, y); }    \
  float __nv_##name##f(float x, float y) { return __builtin_##name##f(x, y); }
BUILTIN_TWO(copysign)
BUILTIN_TWO(fmax)
BUILTIN_TWO(fmin)

double __nv_fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
float __nv_fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }

double __nv_sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
float __nv_sqrtf(float x) {
  // The question that libdevice asks, too: compiler/gpu answers it.
  return __nvvm_reflect("__CUDA_PREC_SQRT") ? __nvvm_sqrt_rn_f(x)
                                            : __nvvm_sqrt_approx_f(x);
}
double __nv_rsqrt(double x) { return 1.0 / __nvvm_sqrt_rn_d(x); }
float __nv_rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
float __nv_frsqrt_rn(float x) {
  return (float)(1.0 / __nvvm_sqrt_rn_d((double)x));
}
double __nv_nan(const char *ignored) { return __builtin_nan(""); }
float __nv_nanf(const char *ignored) { return __builtin_nanf(""); }
int __nv_isnand(double x) { return __builtin_isnan(x); }
int __nv_isnanf(float x) { return __builtin_isnan(x); }
int __nv_isinfd(double x) { return __builtin_isinf(x); }
int __nv_isinff(float x) { return __builtin_isinf(x); }
int __nv_isfinited(double x) { return __builtin_isfinite(x); }
int __nv_finitef(float x) { return __builtin_isfinite(x); }
int __nv_signbitd(double x) { return __builtin_signbit(x) != 0; }
int __nv_signbitf(float x) { return __builtin_signbitf(x) != 0; }

i64 __nv_llrint(double x) { return __nvvm_d2ll_rn(x); }
i64 __nv_llrintf(float x) { return __nvvm_f2ll_rn(x); }
i64 __nv_llround(double x) { return __nvvm_d2ll_rz(__builtin_round(x)); }
i64 __nv_llroundf(float x) { return __nvvm_f2ll_rz(__builtin_roundf(x)); }

//===----------------------------------------------------------------------===//
// The GPU's approximate functions
//===----------------------------------------------------------------------===//

float __nv_fast_sinf(float x) { return __nvvm_sin_approx_f(x); }
float __nv_fast_cosf(float x) { return __nvvm_cos_approx_f(x); }
float __nv_fast_tanf(float x) {
  return __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x));
}
void __nv_fast_sincosf(float x, float *s, float *c) {
  *s = __nvvm_sin_approx_f(x);
  *c = __nvvm_cos_approx_f(x);
}
float __nv_fast_log2f(float x) { return __nvvm_lg2_approx_f(x); }
float __nv_fast_logf(float x) {
  return __nvvm_lg2_approx_f(x) * 0.693147180559945309417f;
}
float __nv_fast_log10f(float x) {
  return __nvvm_lg2_approx_f(x) * 0.301029995663981195214f;
}
float __nv_fast_expf(float x) {
  return __nvvm_ex2_approx_f(x * 1.44269504088896340736f);
}
float __nv_fast_exp10f(float x) {
  return __nvvm_ex2_approx_f(x * 3.32192809488736234787f);
}
float __nv_fast_powf(float x, float y) {
  return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x));
}
float __nv_fast_fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }
float __nv_fast_tanhf(float x) { return clc_tanhf(x); }
float __nv_saturatef(float x) { return __nvvm_saturate_f(x); }

//===----------------------------------------------------------------------===//
// Chosen rounding: libdevice says rd and ru, the instructions rm and rp
//===----------------------------------------------------------------------===//

#define ROUNDED(nv, rounding)                                                  \
  float __nv_fadd_##nv(float x, float y) {                                     \
    return __nvvm_add_##rounding##_f(x, y);                                    \
  }                                                                            \
  float __nv_fsub_##nv(float x, float y) {                                     \
    return __nvvm_add_##rounding##_f(x, -y);                                   \
  }                                                                            \
  float __nv_fmul_##nv(float x, float y) {                                     \
    return __nvvm_mul_##rounding##_f(x, y);                                    \
  }                                                                            \
  float __nv_fdiv_##nv(float x, float y) {                                     \
    return __nvvm_div_##rounding##_f(x, y);                                    \
  }                                                                            \
  float __nv_frcp_##nv(float x) { return __nvvm_rcp_##rounding##_f(x); }       \
  float __nv_fsqrt_##nv(float x) { return __nvvm_sqrt_##rounding##_f(x); }     \
  float __nv_fmaf_##nv(float x, float y, float z) {                            \
    return __nvvm_fma_##rounding##_f(x, y, z);                                 \
  }                                                                            \
  float __nv_fmaf_ieee_##nv(float x, float y, float z) {                       \
    return __nvvm_fma_##rounding##_f(x, y, z);                                 \
  }                                                                            \
  double __nv_dadd_##nv(double x, double y) {                                  \
    return __nvvm_add_##rounding##_d(x, y);                                    \
  }                                                                            \
  double __nv_dsub_##nv(double x, double y) {                                  \
    return __nvvm_add_##rounding##_d(x, -y);                                   \
  }                                                                            \
  double __nv_dmul_##nv(double x, double y) {                                  \
    return __nvvm_mul_##rounding##_d(x, y);                                    \
  }                                                                            \
  double __nv_ddiv_##nv(double x, double y) {                                  \
    return __nvvm_div_##rounding##_d(x, y);                                    \
  }                                                                            \
  double __nv_drcp_##nv(double x) { return __nvvm_rcp_##rounding##_d(x); }     \
  double __nv_dsqrt_##nv(double x) { return __nvvm_sqrt_##rounding##_d(x); }   \
  double __nv_fma_##nv(double x, double y, double z) {                         \
    return __nvvm_fma_##rounding##_d(x, y, z);                                 \
  }                                                                            \
  float __nv_double2float_##nv(double x) { return __nvvm_d2f_##rounding(x); }  \
  int __nv_double2int_##nv(double x) { return __nvvm_d2i_##rounding(x); }      \
  u32 __nv_double2uint_##nv(double x) { return __nvvm_d2ui_##rounding(x); }    \
  i64 __nv_double2ll_##nv(double x) { return __nvvm_d2ll_##rounding(x); }      \
  u64 __nv_double2ull_##nv(double x) { return __nvvm_d2ull_##rounding(x); }    \
  int __nv_float2int_##nv(float x) { return __nvvm_f2i_##rounding(x); }        \
  u32 __nv_float2uint_##nv(float x) { return __nvvm_f2ui_##rounding(x); }      \
  i64 __nv_float2ll_##nv(float x) { return __nvvm_f2ll_##rounding(x); }        \
  u64 __nv_float2ull_##nv(float x) { return __nvvm_f2ull_##rounding(x); }      \
  float __nv_int2float_##nv(int x) { return __nvvm_i2f_##rounding(x); }        \
  float __nv_uint2float_##nv(u32 x) { return __nvvm_ui2f_##rounding(x); }      \
  float __nv_ll2float_##nv(i64 x) { return __nvvm_ll2f_##rounding(x); }        \
  float __nv_ull2float_##nv(u64 x) { return __nvvm_ull2f_##rounding(x); }      \
  double __nv_ll2double_##nv(i64 x) { return __nvvm_ll2d_##rounding(x); }      \
  double __nv_ull2double_##nv(u64 x) { return __nvvm_ull2d_##rounding(x); }
ROUNDED(rn, rn)
ROUNDED(rz, rz)
ROUNDED(rd, rm)
ROUNDED(ru, rp)

double __nv_int2double_rn(int x) { return x; }
double __nv_uint2double_rn(u32 x) { return x; }

//===----------------------------------------------------------------------===//
// Bits and integers
//===----------------------------------------------------------------------===//

float __nv_half2float(unsigned short x) {
  return (float)__builtin_bit_cast(_Float16, x);
}
unsigned short __nv_float2half_rn(float x) {
  return __builtin_bit_cast(unsigned short, (_Float16)x);
}

int __nv_abs(int x) { return x < 0 ? (int)(0u - (u32)x) : x; }
i64 __nv_llabs(i64 x) { return x < 0 ? (i64)(0ull - (u64)x) : x; }
int __nv_max(int x, int y) { return x > y ? x : y; }
int __nv_min(int x, int y) { return x < y ? x : y; }
u32 __nv_umax(u32 x, u32 y) { return x > y ? x : y; }
u32 __nv_umin(u32 x, u32 y) { return x < y ? x : y; }
i64 __nv_llmax(i64 x, i64 y) { return x > y ? x : y; }
i64 __nv_llmin(i64 x, i64 y) { return x < y ? x : y; }
u64 __nv_ullmax(u64 x, u64 y) { return x > y ? x : y; }
u64 __nv_ullmin(u64 x, u64 y) { return x < y ? x : y; }

int __nv_clz(int x) { return x ? __builtin_clz((u32)x) : 32; }
int __nv_clzll(i64 x) { return x ? __builtin_clzll((u64)x) : 64; }
int __nv_ffs(int x) { return __builtin_ffs(x); }
int __nv_ffsll(i64 x) { return __builtin_ffsll(x); }
int __nv_popc(int x) { return __builtin_popcount((u32)x); }
int __nv_popcll(i64 x) { return __builtin_popcountll((u64)x); }
u32 __nv_brev(u32 x) { return __builtin_bitreverse32(x); }
u64 __nv_brevll(u64 x) { return __builtin_bitreverse64(x); }
u32 __nv_byte_perm(u32 x, u32 y, u32 selector) {
  return __nvvm_prmt(x, y, selector);
}

int __nv_mulhi(int x, int y) { return (int)((i64)x * y >> 32); }
u32 __nv_umulhi(u32 x, u32 y) { return (u32)((u64)x * y >> 32); }
i64 __nv_mul64hi(i64 x, i64 y) { return __nvvm_mulhi_ll(x, y); }
u64 __nv_umul64hi(u64 x, u64 y) { return __nvvm_mulhi_ull(x, y); }
int __nv_mul24(int x, int y) { return __nvvm_mul24_i(x, y); }
u32 __nv_umul24(u32 x, u32 y) { return __nvvm_mul24_ui(x, y); }
u32 __nv_sad(int x, int y, u32 z) {
  return z + (x > y ? (u32)x - (u32)y : (u32)y - (u32)x);
}
u32 __nv_usad(u32 x, u32 y, u32 z) { return z + (x > y ? x - y : y - x); }
int __nv_hadd(int x, int y) { return (int)(((i64)x + y) >> 1); }
int __nv_rhadd(int x, int y) { return (int)(((i64)x + y + 1) >> 1); }
u32 __nv_uhadd(u32 x, u32 y) { return (u32)(((u64)x + y) >> 1); }
u32 __nv_urhadd(u32 x, u32 y) { return (u32)(((u64)x + y + 1) >> 1); }
