//===- VectorMath.h - functions that loops call in vectors ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Logarithms, exponentials, sines and the inverse of the normal distribution
// for the arguments that random numbers have: without branches and calls, so
// that Clang makes vectors of the loops around them. Errors are a few units in
// the last place.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CURAND_VECTORMATH_H
#define CUFORT_LIBRARIES_CURAND_VECTORMATH_H

#include <cstdint>

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"

#define CUFORT_VECTOR_MATH [[gnu::always_inline]] static inline

namespace cufort::curand {

/// The value of a polynomial; the coefficients begin with the highest power's.
template <typename T> CUFORT_VECTOR_MATH T polynomial(T, T coefficient) {
  return coefficient;
}
template <typename T, typename... Rest>
CUFORT_VECTOR_MATH T polynomial(T x, T first, T second, Rest... rest) {
  return polynomial(x, first * x + second, rest...);
}

/// The integer nearest to \p x, of less than 2^22 (2^51).
CUFORT_VECTOR_MATH float nearest(float x) {
#pragma clang fp reassociate(off)
  const float shift = 0x1.8p23f;
  return x + shift - shift;
}
CUFORT_VECTOR_MATH double nearest(double x) {
#pragma clang fp reassociate(off)
  const double shift = 0x1.8p52;
  return x + shift - shift;
}

/// Of normal numbers above 0.
CUFORT_VECTOR_MATH float vectorLog(float x) {
  uint32_t bits = __builtin_bit_cast(uint32_t, x) - 0x3f3504f3u;
  const float exponent = static_cast<float>(static_cast<int32_t>(bits) >> 23);
  bits = (bits & 0x7fffffu) + 0x3f3504f3u;
  const float f = __builtin_bit_cast(float, bits) - 1, square = f * f;
  float y = f * square *
            polynomial(f, 7.0376836292e-2f, -1.1514610310e-1f, 1.1676998740e-1f,
                       -1.2420140846e-1f, 1.4249322787e-1f, -1.6668057665e-1f,
                       2.0000714765e-1f, -2.4999993993e-1f, 3.3333331174e-1f);
  y += exponent * -2.12194440e-4f;
  y -= 0.5f * square;
  return f + y + exponent * 0.693359375f;
}
CUFORT_VECTOR_MATH double vectorLog(double x) {
  constexpr uint64_t root = 0x3fe6a09e667f3bcd;
  uint64_t bits = __builtin_bit_cast(uint64_t, x) - root;
  // As a double without a conversion of 64 bits, which most processors lack.
  const double exponent =
      __builtin_bit_cast(double,
                         ((bits >> 52 ^ 0x800) & 0xfff) | 0x4330000000000000) -
      (0x1p52 + 0x800);
  bits = (bits & 0xfffffffffffff) + root;
  const double f = __builtin_bit_cast(double, bits) - 1, s = f / (2 + f);
  const double square = s * s, half = 0.5 * f * f;
  const double rest =
      square * polynomial(square, 1.479819860511658591e-01,
                          1.531383769920937332e-01, 1.818357216161805012e-01,
                          2.222219843214978396e-01, 2.857142874366239149e-01,
                          3.999999999940941908e-01, 6.666666666666735130e-01);
  return exponent * 6.93147180369123816490e-01 -
         (half - (s * (half + rest) + exponent * 1.90821492927058770002e-10) -
          f);
}

/// 2^n: the power of two of an integer as a float, in the range of normal ones.
CUFORT_VECTOR_MATH float powerOfTwo(float n) {
  return __builtin_bit_cast(float, (static_cast<int32_t>(n) + 127) << 23);
}
CUFORT_VECTOR_MATH double powerOfTwo(double n) {
  return __builtin_bit_cast(
      double, static_cast<int64_t>(static_cast<int32_t>(n) + 1023) << 52);
}
CUFORT_VECTOR_MATH float vectorExp(float x) {
  const float limited = x > 104 ? 104.0f : x < -105 ? -105.0f : x;
  const float n = nearest(limited * 1.44269504f);
  const float r = limited - n * 0.693359375f + n * 2.12194440e-4f;
  const float y =
      polynomial(r, 1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f,
                 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f) *
          r * r +
      r + 1;
  // In two steps, so that each is a normal number.
  const float half = nearest(n * 0.5f);
  const float result = y * powerOfTwo(half) * powerOfTwo(n - half);
  return x == x ? result : x;
}
CUFORT_VECTOR_MATH double vectorExp(double x) {
  const double limited = x > 710 ? 710.0 : x < -746 ? -746.0 : x;
  const double n = nearest(limited * 1.44269504088896338700);
  const double r =
      limited - n * 6.93147180369123816490e-01 - n * 1.90821492927058770002e-10;
  const double y =
      polynomial(r, 1 / 6227020800.0, 1 / 479001600.0, 1 / 39916800.0,
                 1 / 3628800.0, 1 / 362880.0, 1 / 40320.0, 1 / 5040.0,
                 1 / 720.0, 1 / 120.0, 1 / 24.0, 1 / 6.0, 0.5) *
          r * r +
      r + 1;
  const double half = nearest(n * 0.5);
  const double result = y * powerOfTwo(half) * powerOfTwo(n - half);
  return x == x ? result : x;
}

/// Sine and cosine where \p quarter quarters of a turn are added to one.
template <typename T>
CUFORT_VECTOR_MATH void turned(int quarter, T sine, T cosine, T *s, T *c) {
  const T first = quarter & 1 ? cosine : sine;
  const T second = quarter & 1 ? sine : cosine;
  *s = quarter & 2 ? -first : first;
  *c = (quarter + 1) & 2 ? -second : second;
}

/// Of angles up to some turns.
CUFORT_VECTOR_MATH void vectorSinCos(float x, float *s, float *c) {
  const float n = nearest(x * 0.636619772f);
  const float r = x - n * 1.5703125f - n * 4.837512969970703125e-4f -
                  n * 7.549789948768648e-8f;
  const float square = r * r;
  const float sine = r + r * square *
                             polynomial(square, -1.9515295891e-4f,
                                        8.3321608736e-3f, -1.6666654611e-1f);
  const float cosine =
      1 - 0.5f * square +
      square * square *
          polynomial(square, 2.443315711809948e-5f, -1.388731625493765e-3f,
                     4.166664568298827e-2f);
  turned(static_cast<int>(n), sine, cosine, s, c);
}
/// Of \p x times pi, up to some turns.
CUFORT_VECTOR_MATH void vectorSinCosPi(double x, double *s, double *c) {
  const double n = nearest(2 * x);
  const double r = (x - 0.5 * n) * 3.14159265358979323846;
  const double square = r * r;
  const double sine = r + r * square *
                              polynomial(square, 1.58969099521155010221e-10,
                                         -2.50507602534068634195e-08,
                                         2.75573137070700676789e-06,
                                         -1.98412698298579493134e-04,
                                         8.33333333332248946124e-03,
                                         -1.66666666666666324348e-01);
  const double cosine =
      1 - 0.5 * square +
      square * square *
          polynomial(square, -1.13596475577881948265e-11,
                     2.08757232129817482790e-09, -2.75573143513906633035e-07,
                     2.48015872894767294178e-05, -1.38888888888741095749e-03,
                     4.16666666666666019037e-02);
  turned(static_cast<int>(n), sine, cosine, s, c);
}

/// Where the normal distribution is \p p, in (0, 1): Wichura's rational
/// functions (1988, AS 241).
template <typename T> CUFORT_VECTOR_MATH T vectorNormal(T p) {
  const double q = static_cast<double>(p) - 0.5;
  const double near = 0.180625 - q * q;
  const double middle =
      q *
      polynomial(near, 2.5090809287301226727e3, 3.3430575583588128105e4,
                 6.7265770927008700853e4, 4.5921953931549871457e4,
                 1.3731693765509461125e4, 1.9715909503065514427e3,
                 1.3314166789178437745e2, 3.3871328727963666080) /
      polynomial(near, 5.2264952788528545610e3, 2.8729085735721942674e4,
                 3.9307895800092710610e4, 2.1213794301586595867e4,
                 5.3941960214247511077e3, 6.8718700749205790830e2,
                 4.2313330701600911252e1, 1.0);
  const double tail =
      q < 0 ? static_cast<double>(p) : 1 - static_cast<double>(p);
  // What rounds to one is taken for the number before it.
  const double r =
      __builtin_elementwise_sqrt(-vectorLog(tail > 0x1p-60 ? tail : 0x1p-60));
  const double a = r - 1.6, b = r - 5;
  const double nearTail =
      polynomial(a, 7.74545014278341407640e-4, 2.27238449892691845833e-2,
                 2.41780725177450611770e-1, 1.27045825245236838258,
                 3.64784832476320460504, 5.76949722146069140550,
                 4.63033784615654529590, 1.42343711074968357734) /
      polynomial(a, 1.05075007164441684324e-9, 5.47593808499534494600e-4,
                 1.51986665636164571966e-2, 1.48103976427480074590e-1,
                 6.89767334985100004550e-1, 1.67638483018380384940,
                 2.05319162663775882187, 1.0);
  const double farTail =
      polynomial(b, 2.01033439929228813265e-7, 2.71155556874348757815e-5,
                 1.24266094738807843860e-3, 2.65321895265761230930e-2,
                 2.96560571828504891230e-1, 1.78482653991729133580,
                 5.46378491116411436990, 6.65790464350110377720) /
      polynomial(b, 2.04426310338993978564e-15, 1.42151175831644588870e-7,
                 1.84631831751005468180e-5, 7.86869131145613259100e-4,
                 1.48753612908506148525e-2, 1.36929880922735805310e-1,
                 5.99832206555887937690e-1, 1.0);
  const double outer = r <= 5 ? nearTail : farTail;
  return static_cast<T>(near >= 0 ? middle : q < 0 ? -outer : outer);
}

} // namespace cufort::curand

#pragma clang diagnostic pop

#endif // CUFORT_LIBRARIES_CURAND_VECTORMATH_H
