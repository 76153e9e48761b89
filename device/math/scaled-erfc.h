//===- scaled-erfc.h - exp(x*x) * erfc(x) -------------------------*- C -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_DEVICE_MATH_SCALED_ERFC_H
#define CUFORT_DEVICE_MATH_SCALED_ERFC_H

double __nv_exp(double x);
double __nv_erfc(double x);

/// exp(x**2) * erfc(x). The square is taken with what its rounding loses, since
/// the exponential function magnifies that.
static inline double scaledErfc(double x) {
  if (x < 20) {
    double square = x * x, lost = __builtin_fma(x, x, -square);
    double size = __nv_exp(square);
    // Infinity times a correction is no number.
    return (size + (size < 1e300 ? size * lost : 0)) * __nv_erfc(x);
  }
  // The asymptotic series; its last term is far below the last place.
  double s = 1 / (x * x), sum = 1, term = 1;
  for (int n = 1; n < 12; ++n) {
    term *= -(double)(2 * n - 1) / 2 * s;
    sum += term;
  }
  return sum / (x * 1.772453850905516027298);
}

#endif // CUFORT_DEVICE_MATH_SCALED_ERFC_H
