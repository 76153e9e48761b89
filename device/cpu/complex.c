//===- complex.c - complex functions of single precision ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In double precision, of which half a unit in the last place is left whatever
// the vectors' functions lose. The others are libm's: those of double
// precision, and those whose values in libm are far from the exact ones, for
// programs compare with it.
//
//===----------------------------------------------------------------------===//

#define INLINE static inline __attribute__((always_inline))
#define PAIR float _Complex
#define NARROW(re, im) __builtin_complex((float)(re), (float)(im))

double __nv_atan2(double y, double x);
double __nv_cos(double x);
double __nv_cosh(double x);
double __nv_exp(double x);
double __nv_log(double x);
double __nv_log1p(double x);
double __nv_sin(double x);
double __nv_sinh(double x);
double __nv_sqrt(double x);

/// Zero times infinity: the zero.
INLINE double scaled(double zeroOrNot, double size) {
  return zeroOrNot == 0 ? zeroOrNot : zeroOrNot * size;
}

PAIR cufort_cexpf(float x, float y) {
  const double size = __nv_exp(x);
  return y == 0 ? NARROW(size, y)
                : NARROW(size * __nv_cos(y), size * __nv_sin(y));
}

PAIR cufort_clogf(float x, float y) {
  const double re = __builtin_fabs((double)x), im = __builtin_fabs((double)y);
  const double larger = re > im ? re : im, smaller = re > im ? im : re;
  // Near the unit circle the square less one, without rounding its parts.
  const double size =
      larger > 0.5 && larger < 2
          ? __nv_log1p((larger - 1) * (larger + 1) + smaller * smaller)
          : __nv_log(re * re + im * im);
  return NARROW(size / 2, __nv_atan2(y, x));
}

PAIR cufort_csqrtf(float x, float y) {
  const double re = __builtin_fabs((double)x), im = __builtin_fabs((double)y);
  const double half = __nv_sqrt((re + __nv_sqrt(re * re + im * im)) / 2);
  const double other = half == 0               ? 0
                       : im == __builtin_inf() ? im
                                               : im / (2 * half);
  return x >= 0 ? NARROW(half, __builtin_copysign(other, y))
                : NARROW(other, __builtin_copysign(half, y));
}

PAIR cufort_csinf(float x, float y) {
  return NARROW(scaled(__nv_sin(x), __nv_cosh(y)), __nv_cos(x) * __nv_sinh(y));
}

PAIR cufort_ccosf(float x, float y) {
  return NARROW(__nv_cos(x) * __nv_cosh(y), -scaled(__nv_sin(x), __nv_sinh(y)));
}

PAIR cufort_csinhf(float x, float y) {
  return NARROW(__nv_sinh(x) * __nv_cos(y), scaled(__nv_sin(y), __nv_cosh(x)));
}

PAIR cufort_ccoshf(float x, float y) {
  return NARROW(__nv_cosh(x) * __nv_cos(y), scaled(__nv_sin(y), __nv_sinh(x)));
}
