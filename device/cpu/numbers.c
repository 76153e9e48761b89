//===- numbers.c - numbers in two parts on the CPU ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of libdevice that write through a pointer, which the C library's
// cannot stand for where threads are lanes, and NaN.
//
//===----------------------------------------------------------------------===//

double __nv_frexp(double x, int *exponent) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
  int e = bits >> 52 & 0x7ff, moved = 0;
  if (x == 0 || e == 0x7ff) {
    *exponent = 0;
    return x;
  }
  if (!e) { // a number below the normal ones
    bits = __builtin_bit_cast(unsigned long long, x * 0x1p54);
    e = bits >> 52 & 0x7ff;
    moved = 54;
  }
  *exponent = e - 1022 - moved;
  return __builtin_bit_cast(double, (bits & ~(0x7ffull << 52)) | 1022ull << 52);
}
float __nv_frexpf(float x, int *exponent) {
  return (float)__nv_frexp(x, exponent);
}

double __nv_modf(double x, double *whole) {
  *whole = __builtin_trunc(x);
  return __builtin_copysign(x == *whole ? 0 : x - *whole, x);
}
float __nv_modff(float x, float *whole) {
  *whole = __builtin_truncf(x);
  return __builtin_copysignf(x == *whole ? 0 : x - *whole, x);
}

double __nv_fmod(double, double);
double __nv_remainder(double, double);
/// Three bits of the quotient: what is left of eight divisors tells.
double __nv_remquo(double x, double y, int *quotient) {
  const double divisor = __builtin_fabs(y);
  double left = __builtin_fabs(x);
  int q = 0;
  if (divisor <= 0x1p1020)
    left = __nv_fmod(left, 8 * divisor);
  for (int bit = 8; bit; bit /= 2)
    if (left >= bit * divisor) {
      left -= bit * divisor;
      q += bit;
    }
  const double half = divisor - left; // what is missing to the next multiple
  if (left > half || (left == half && q % 2))
    ++q;
  *quotient = !__builtin_signbit(x) != !__builtin_signbit(y) ? -(q & 7) : q & 7;
  return __nv_remainder(x, y);
}
float __nv_remquof(float x, float y, int *quotient) {
  return (float)__nv_remquo(x, y, quotient);
}

double __nv_nan(const signed char *text) {
  (void)text;
  return __builtin_nan("");
}
float __nv_nanf(const signed char *text) {
  (void)text;
  return __builtin_nanf("");
}
