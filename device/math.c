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

typedef long long i64;
typedef unsigned long long u64;
typedef unsigned int u32;

#define CLC(mangled) __asm__(mangled)

//===----------------------------------------------------------------------===//
// libclc's functions: `name` for double, `name`f for float
//===----------------------------------------------------------------------===//

// X(length of the name, name)
#define ONE_ARGUMENT(X)                                                        \
  X(3, cos)                                                                    \
  X(3, erf)                                                                    \
  X(3, exp)                                                                    \
  X(3, log)                                                                    \
  X(3, sin)                                                                    \
  X(3, tan) X(4, acos) X(4, asin) X(4, atan) X(4, cbrt) X(4, cosh) X(4, erfc)  \
      X(4, exp2) X(4, log2) X(4, logb) X(4, sinh) X(4, tanh) X(5, acosh)       \
          X(5, asinh) X(5, atanh) X(5, cospi) X(5, exp10) X(5, expm1)          \
              X(5, log10) X(5, log1p) X(5, sinpi) X(6, lgamma)

#define TWO_ARGUMENTS(X)                                                       \
  X(3, pow)                                                                    \
  X(4, fdim) X(4, fmod) X(5, atan2) X(5, hypot) X(9, nextafter) X(9, remainder)

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

// libclc's gamma function loses digits as it grows, 140 units in the last place
// at 19; in single precision there are enough to lose.
double clc_tgamma(double) CLC("_Z6tgammad");
double __nv_tgamma(double x) { return clc_tgamma(x); }
float __nv_tgammaf(float x) { return (float)clc_tgamma(x); }

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
double __nv_rcbrt(double x) { return 1.0 / clc_cbrt(x); }
float __nv_rcbrtf(float x) { return 1.0f / clc_cbrtf(x); }
double __nv_rhypot(double x, double y) { return 1.0 / clc_hypot(x, y); }
float __nv_rhypotf(float x, float y) { return 1.0f / clc_hypotf(x, y); }
double __nv_norm3d(double x, double y, double z) {
  return clc_hypot(clc_hypot(x, y), z);
}
float __nv_norm3df(float x, float y, float z) {
  return clc_hypotf(clc_hypotf(x, y), z);
}
double __nv_norm4d(double x, double y, double z, double w) {
  return clc_hypot(clc_hypot(x, y), clc_hypot(z, w));
}
float __nv_norm4df(float x, float y, float z, float w) {
  return clc_hypotf(clc_hypotf(x, y), clc_hypotf(z, w));
}
double __nv_normcdf(double x) {
  return 0.5 * clc_erfc(-x * 0.70710678118654752440);
}
float __nv_normcdff(float x) {
  return 0.5f * clc_erfcf(-x * 0.70710678118654752440f);
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

int __nv_float_as_int(float x) { return __builtin_bit_cast(int, x); }
u32 __nv_float_as_uint(float x) { return __builtin_bit_cast(u32, x); }
float __nv_int_as_float(int x) { return __builtin_bit_cast(float, x); }
float __nv_uint_as_float(u32 x) { return __builtin_bit_cast(float, x); }
i64 __nv_double_as_longlong(double x) { return __builtin_bit_cast(i64, x); }
double __nv_longlong_as_double(i64 x) { return __builtin_bit_cast(double, x); }
int __nv_double2hiint(double x) {
  return (int)(__builtin_bit_cast(u64, x) >> 32);
}
int __nv_double2loint(double x) { return (int)__builtin_bit_cast(u64, x); }
double __nv_hiloint2double(int high, int low) {
  return __builtin_bit_cast(double, (u64)(u32)high << 32 | (u32)low);
}
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

//===----------------------------------------------------------------------===//
// Bessel functions
//===----------------------------------------------------------------------===//

/// From here on the asymptotic series are good to the last place.
#define FAR 25.0

/// J0, J1, Y0, Y1 at \p x >= FAR: Hankel's expansions.
static void besselFar(double x, double *j, double *y) {
  double s, c;
  __nv_sincos(x, &s, &c);
  double size = __builtin_sqrt(0.3183098861837906715 / x); // 1 / pi
  for (int n = 0; n < 2; ++n) {
    double p = 0, q = 0, term = 1;
    for (int k = 0; k < 40 && __builtin_fabs(term) > 1e-18; ++k) {
      double sign = k & 2 ? -term : term;
      if (k & 1)
        q += sign;
      else
        p += sign;
      double odd = 2 * k + 1;
      term *= (4.0 * n - odd * odd) / ((k + 1) * 8 * x);
    }
    // The angle is x - pi / 4 or x - 3 pi / 4; size has the root of a half.
    double cosine = n ? s - c : s + c, sine = n ? -(s + c) : s - c;
    j[n] = size * (p * cosine - q * sine);
    y[n] = size * (p * sine + q * cosine);
  }
}

/// J0, J1, Y0, Y1 and J of order \p n at 0 < \p x < FAR: Miller's recurrence
/// downwards, scaled by J0 + 2 (J2 + J4 + ...) = 1, and Neumann's series for Y.
static double besselNear(int n, double x, double *j, double *y) {
  const double overPi = 0.63661977236758134308, gamma = 0.57721566490153286061;
  double log = __nv_log(0.5 * x) + gamma;
  if (x < 1e-5) {
    // Two terms of the power series; downwards the numbers would be too large.
    double square = 0.25 * x * x, power = 1;
    for (int k = 1; k <= n && power != 0; ++k)
      power *= 0.5 * x / k;
    j[0] = 1 - square;
    j[1] = 0.5 * x * (1 - 0.5 * square);
    y[0] = overPi * (log * j[0] + square);
    y[1] = overPi * ((log - 0.5) * 0.5 * x - 1 / x);
    return power * (1 - square / (n + 1.0));
  }
  int start = 2 * ((int)((n > x ? n : x) + 40) / 2);
  double above = 0, here = 1e-290, sum = 0, wanted = 0, even = 0, odd = 0;
  for (int k = start; k > 0; --k) {
    // here is J of order k.
    if (k == n)
      wanted = here;
    int half = k / 2;
    double sign = half & 1 ? -1 : 1;
    if (k & 1) {
      if (k > 1)
        odd += sign * k * here / (half * (half + 1.0));
    } else {
      sum += 2 * here;
      even += sign * here / half;
    }
    double below = 2 * k / x * here - above;
    above = here;
    here = below;
    if (__builtin_fabs(here) > 1e250) {
      here *= 1e-250;
      above *= 1e-250;
      sum *= 1e-250;
      wanted *= 1e-250;
      even *= 1e-250;
      odd *= 1e-250;
    }
  }
  double scale = 1 / (sum + here);
  j[0] = here * scale;
  j[1] = above * scale;
  y[0] = overPi * (log * j[0] - 2 * even * scale);
  y[1] = overPi * ((log - 1) * j[1] - j[0] / x - odd * scale);
  return n == 0 ? j[0] : wanted * scale;
}

double __nv_jn(int n, double x) {
  double j[2], y[2];
  if (x != x)
    return x;
  // J of order -n or at -x is J or -J.
  double sign = 1;
  if (n < 0) {
    n = -n;
    sign = n & 1 ? -sign : sign;
  }
  if (x < 0) {
    x = -x;
    sign = n & 1 ? -sign : sign;
  }
  if (x == 0)
    return n == 0 ? 1 : 0;
  if (x == __builtin_inf())
    return 0;
  if (x < FAR) {
    // Below the smallest number.
    if (n > 1000)
      return 0;
    return sign * besselNear(n, x, j, y);
  }
  besselFar(x, j, y);
  if (n < 2)
    return sign * j[n];
  if (n <= x) {
    double below = j[0], here = j[1];
    for (int k = 1; k < n; ++k) {
      double next = 2 * k / x * here - below;
      below = here;
      here = next;
    }
    return sign * here;
  }
  // Downwards, scaled by the greater one of J0 and J1.
  int start = n + 40 + (int)__builtin_sqrt(40.0 * n);
  double above = 0, here = 1e-290, wanted = 0;
  for (int k = start; k > 0; --k) {
    if (k == n)
      wanted = here;
    double below = 2 * k / x * here - above;
    above = here;
    here = below;
    if (__builtin_fabs(here) > 1e250) {
      here *= 1e-250;
      above *= 1e-250;
      wanted *= 1e-250;
    }
  }
  double scale =
      __builtin_fabs(j[0]) > __builtin_fabs(j[1]) ? j[0] / here : j[1] / above;
  return sign * wanted * scale;
}

double __nv_yn(int n, double x) {
  double j[2], y[2], sign = 1;
  if (n < 0) {
    n = -n;
    sign = n & 1 ? -1 : 1;
  }
  if (x != x || x < 0)
    return __builtin_nan("");
  if (x == 0)
    return -sign * __builtin_inf();
  if (x == __builtin_inf())
    return 0;
  if (x < FAR)
    besselNear(0, x, j, y);
  else
    besselFar(x, j, y);
  if (n == 0)
    return y[0];
  for (int k = 1; k < n; ++k) {
    double next = 2 * k / x * y[1] - y[0];
    y[0] = y[1];
    y[1] = next;
    if (next == -__builtin_inf())
      break;
  }
  return sign * y[1];
}

double __nv_j0(double x) { return __nv_jn(0, x); }
double __nv_j1(double x) { return __nv_jn(1, x); }
double __nv_y0(double x) { return __nv_yn(0, x); }
double __nv_y1(double x) { return __nv_yn(1, x); }
float __nv_jnf(int n, float x) { return (float)__nv_jn(n, x); }
float __nv_ynf(int n, float x) { return (float)__nv_yn(n, x); }
float __nv_j0f(float x) { return (float)__nv_jn(0, x); }
float __nv_j1f(float x) { return (float)__nv_jn(1, x); }
float __nv_y0f(float x) { return (float)__nv_yn(0, x); }
float __nv_y1f(float x) { return (float)__nv_yn(1, x); }
