//===- special.c - libdevice's functions that libm lacks ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inverses of erf, erfc and the normal distribution, modified Bessel functions,
// norms. They rest on other __nv_* functions, so that math.bc and cpu.bc both
// have them. Single precision is worked out in double precision.
//
//===----------------------------------------------------------------------===//

#include "device/math/scaled-erfc.h"

double __nv_log(double x);
double __nv_log1p(double x);
double __nv_erf(double x);
double __nv_cbrt(double x);
double __nv_hypot(double x, double y);

#define INFINITE __builtin_inf()
#define NOT_A_NUMBER __builtin_nan("")

/// 2 / sqrt(pi), the slope of erf at 0.
#define SLOPE 1.1283791670955125739
/// sqrt(1 / 2) and what its rounding loses.
#define ROOT_OF_HALF 0x1.6a09e667f3bcdp-1
#define ROOT_OF_HALF_REST -0x1.bdd3413b26456p-55

//===----------------------------------------------------------------------===//
// Inverses of the error functions
//===----------------------------------------------------------------------===//

/// Where erf(y)**2 is about 1 - exp(\p logarithm), within two thousandths:
/// Winitzki's approximation.
static double nearInverse(double logarithm) {
  double t = 4.3307467507998730821 + 0.5 * logarithm;
  return __builtin_sqrt(__builtin_sqrt(t * t - logarithm / 0.147) - t);
}

/// Where erfc(y) = \p x, for 0 < x <= 1/2.
static double inverseOfSmall(double x) {
  double y = nearInverse(__nv_log(x) + __nv_log1p(1 - x));
  if (x > 1e-8) {
    // Halley's iteration.
    for (int k = 0; k < 2; ++k) {
      double step = (x - __nv_erfc(y)) / (SLOPE * __nv_exp(-y * y));
      y -= step / (1 + y * step);
    }
    return y;
  }
  // Newton's, for logarithms: numbers may be as small as they like.
  double wanted = __nv_log(x);
  for (int k = 0; k < 3; ++k) {
    double scaled = scaledErfc(y), square = y * y;
    double error =
        __nv_log(scaled) - wanted - square - __builtin_fma(y, y, -square);
    y += error * scaled / SLOPE;
  }
  return y;
}

double __nv_erfinv(double x) {
  double size = __builtin_fabs(x);
  if (!(size < 1))
    return size == 1 ? x * INFINITE : NOT_A_NUMBER;
  if (size >= 0.5)
    return __builtin_copysign(inverseOfSmall(1 - size), x);
  double square = x * x;
  double y =
      x * (0.88622692545275801365 +
           square * (0.23201366653465449 + square * 0.12755617530559795));
  // Smaller ones would lose their digits on the way.
  if (size < 1e-9)
    return y;
  for (int k = 0; k < 2; ++k) {
    double step = (__nv_erf(y) - x) / (SLOPE * __nv_exp(-y * y));
    y -= step / (1 + y * step);
  }
  return y;
}

double __nv_erfcinv(double x) {
  if (!(x > 0 && x < 2))
    return x == 0 ? INFINITE : x == 2 ? -INFINITE : NOT_A_NUMBER;
  // These differences are exact.
  return x <= 0.5   ? inverseOfSmall(x)
         : x <= 1.5 ? __nv_erfinv(1 - x)
                    : -inverseOfSmall(2 - x);
}

double __nv_normcdfinv(double x) {
  double y = -__nv_erfcinv(2 * x);
  // Twice the root of a half.
  return y - y == 0
             ? __builtin_fma(y, 2 * ROOT_OF_HALF, y * (2 * ROOT_OF_HALF_REST))
             : y;
}

double __nv_normcdf(double x) {
  // The argument is divided by the root of two with what rounding loses, which
  // erfc magnifies.
  double z = -x * ROOT_OF_HALF;
  double rest = __builtin_fma(-x, ROOT_OF_HALF, -z) - x * ROOT_OF_HALF_REST;
  double lost = z - z == 0 ? SLOPE * __nv_exp(-z * z) * rest : 0;
  return 0.5 * (__nv_erfc(z) - lost);
}

double __nv_erfcx(double x) { return scaledErfc(x); }

//===----------------------------------------------------------------------===//
// Modified Bessel functions
//===----------------------------------------------------------------------===//

/// I of order \p n, 0 or 1, at \p x >= 0.
static double modifiedBessel(int n, double x) {
  if (x < 20) {
    // What rounding the square loses is magnified by the series' slope.
    double t = 0.25 * x * x, lost = __builtin_fma(0.5 * x, 0.5 * x, -t);
    double sum = 1, slope = 0, term = 1;
    for (int k = 1; k < 80 && term > 1e-18 * sum; ++k) {
      term *= t / (k * (k + n));
      sum += term;
      slope += k * term;
    }
    if (t > 0.1)
      sum += slope * (lost / t);
    return n ? 0.5 * x * sum : sum;
  }
  if (x == INFINITE)
    return x;
  // The leading one comes last: beside it small terms would be lost.
  double sum = 0, term = 1;
  for (int k = 0; k < 40 && __builtin_fabs(term) > 1e-18; ++k) {
    double odd = 2 * k + 1;
    term *= (odd * odd - 4 * n) / ((k + 1) * 8 * x);
    sum += term;
  }
  // The function is finite a little beyond the exponential's end.
  double half = __nv_exp(0.5 * x);
  return half * ((1 + sum) * 0.39894228040143267794 / __builtin_sqrt(x)) * half;
}

double __nv_cyl_bessel_i0(double x) {
  return x != x ? x : modifiedBessel(0, __builtin_fabs(x));
}
double __nv_cyl_bessel_i1(double x) {
  return x != x ? x
                : __builtin_copysign(modifiedBessel(1, __builtin_fabs(x)), x);
}

//===----------------------------------------------------------------------===//
// Roots and norms
//===----------------------------------------------------------------------===//

double __nv_rcbrt(double x) { return 1 / __nv_cbrt(x); }
double __nv_rhypot(double x, double y) { return 1 / __nv_hypot(x, y); }
double __nv_norm3d(double x, double y, double z) {
  return __nv_hypot(__nv_hypot(x, y), z);
}
double __nv_norm4d(double x, double y, double z, double w) {
  return __nv_hypot(__nv_hypot(x, y), __nv_hypot(z, w));
}
double __nv_rnorm3d(double x, double y, double z) {
  return 1 / __nv_norm3d(x, y, z);
}
double __nv_rnorm4d(double x, double y, double z, double w) {
  return 1 / __nv_norm4d(x, y, z, w);
}

double __nv_norm(int n, const double *x) {
  double largest = 0;
  for (int k = 0; k < n; ++k) {
    double size = __builtin_fabs(x[k]);
    if (size == INFINITE)
      return size;
    // A number that is none stays.
    if (!(size <= largest))
      largest = size;
  }
  if (largest == 0 || largest != largest)
    return largest;
  // A power of two, so that squares neither overflow nor vanish.
  double scale = largest > 0x1p400    ? 0x1p-500
                 : largest < 0x1p-400 ? 0x1p500
                                      : 1;
  double sum = 0, rest = 0;
  for (int k = 0; k < n; ++k) {
    double scaled = x[k] * scale, square = scaled * scaled, next = sum + square;
    // Squares are positive and so are sums: which is larger decides.
    rest += sum > square ? (sum - next) + square : (square - next) + sum;
    rest += __builtin_fma(scaled, scaled, -square);
    sum = next;
  }
  return __builtin_sqrt(sum + rest) / scale;
}
double __nv_rnorm(int n, const double *x) { return 1 / __nv_norm(n, x); }

float __nv_normf(int n, const float *x) {
  double sum = 0;
  for (int k = 0; k < n; ++k)
    if (__builtin_fabsf(x[k]) == __builtin_inff())
      return __builtin_inff();
    else
      sum += (double)x[k] * x[k];
  return (float)__builtin_sqrt(sum);
}
float __nv_rnormf(int n, const float *x) { return 1 / __nv_normf(n, x); }

#define SINGLE_ONE(name)                                                       \
  float __nv_##name##f(float x) { return (float)__nv_##name(x); }
SINGLE_ONE(erfinv)
SINGLE_ONE(erfcinv)
SINGLE_ONE(normcdfinv)
SINGLE_ONE(normcdf)
SINGLE_ONE(erfcx)
SINGLE_ONE(cyl_bessel_i0)
SINGLE_ONE(cyl_bessel_i1)
SINGLE_ONE(rcbrt)

float __nv_rhypotf(float x, float y) { return (float)__nv_rhypot(x, y); }
float __nv_norm3df(float x, float y, float z) {
  return (float)__nv_norm3d(x, y, z);
}
float __nv_norm4df(float x, float y, float z, float w) {
  return (float)__nv_norm4d(x, y, z, w);
}
float __nv_rnorm3df(float x, float y, float z) {
  return (float)__nv_rnorm3d(x, y, z);
}
float __nv_rnorm4df(float x, float y, float z, float w) {
  return (float)__nv_rnorm4d(x, y, z, w);
}
