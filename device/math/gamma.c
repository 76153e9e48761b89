//===- gamma.c - the gamma function and its logarithm ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For math.bc: libclc's lose digits, the gamma function as it grows and the
// logarithm where it is negative. Within two units in the last place, but for
// the logarithm near its zeros at negative numbers, where the absolute error is
// that small.
//
//===----------------------------------------------------------------------===//

double __nv_log(double x);
double clc_lgamma(double) __asm__("_Z6lgammad");
float clc_lgammaf(float) __asm__("_Z6lgammaf");

/// Taylor's coefficients of 1 / gamma(1 + t), from t on.
static const double reciprocal[] = {
    0.57721566490153286061,    -0.65587807152025388108,
    -0.042002635034095235529,  0.1665386113822914895,
    -0.042197734555544336748,  -0.0096219715278769735621,
    0.0072189432466630995424,  -0.0011651675918590651121,
    -0.00021524167411495097,   0.00012805028238811618615,
    -2.0134854780788238656e-5, -1.2504934821426706573e-6,
    1.1330272319816958824e-6,  -2.0563384169776071035e-7,
    6.1160951044814158179e-9,  5.0020076444692229301e-9,
    -1.1812745704870201446e-9, 1.0434267116911005105e-10,
    7.782263439905071254e-12,  -3.6968056186422057082e-12};

/// gamma(x) is gamma(1 + t), |t| <= 1/2, times or divided by the numbers
/// between x and 1 + t. These are exact; their product carries what rounding
/// loses.
double __nv_tgamma(double x) {
  if (x != x || x == __builtin_inf())
    return x;
  if (x == 0)
    return 1 / x;
  double whole = __builtin_rint(x), t = x - whole;
  if (x < 0 && t == 0)
    return __builtin_nan("");
  if (x > 172)
    return __builtin_inf();
  int n = x < -190 ? -190 : (int)whole;
  if (x < -190) {
    // Too small for any number; its sign alternates.
    double half = 0.5 * __builtin_floor(x);
    return half == __builtin_floor(half) ? 0.0 : -0.0;
  }
  double sum = 0;
  for (int k = sizeof reciprocal / sizeof *reciprocal - 1; k >= 0; --k)
    sum = __builtin_fma(sum, t, reciprocal[k]);
  double part = sum * t, below = 1 + part, belowRest = (1 - below) + part;
  // Out of the reach of infinity, for which there is room below.
  double high = 0x1p-100, low = 0;
  for (int k = n > 0 ? 1 : n; k <= (n > 0 ? n - 1 : 0); ++k) {
    double factor = t + k, product = high * factor;
    low = low * factor + __builtin_fma(high, factor, -product);
    high = product;
  }
  if (n > 0) {
    double quotient = high / below;
    double rest = __builtin_fma(-quotient, below, high) + low;
    quotient += (rest - quotient * belowRest) / below;
    return quotient * 0x1p100;
  }
  // Below zero both the gamma function of 1 + t and the product divide.
  double divisor = high * below;
  double rest =
      __builtin_fma(high, below, -divisor) + low * below + high * belowRest;
  double quotient = 0x1p-100 / divisor;
  quotient +=
      (__builtin_fma(-quotient, divisor, 0x1p-100) - quotient * rest) / divisor;
  return quotient;
}
float __nv_tgammaf(float x) { return (float)__nv_tgamma(x); }

double __nv_lgamma(double x) {
  if (x <= 0 && x == __builtin_rint(x))
    return __builtin_inf();
  // Near 1 and 2 the logarithm of a number near one would be no good; what is
  // far below zero has no zeros near that are told apart.
  return (x < 0 && x > -170) || (x > 3 && x < 170)
             ? __nv_log(__builtin_fabs(__nv_tgamma(x)))
             : clc_lgamma(x);
}
float __nv_lgammaf(float x) {
  return x <= 0 && x > -170 ? (float)__nv_lgamma(x) : clc_lgammaf(x);
}
