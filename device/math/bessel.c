//===- bessel.c - Bessel functions without libdevice ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// J and Y of any order, for math.bc. Absolute errors are a few units in the
// last place of one; near zeros of the functions that is what counts.
//
//===----------------------------------------------------------------------===//

double __nv_log(double x);
void __nv_sincos(double x, double *s, double *c);

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
