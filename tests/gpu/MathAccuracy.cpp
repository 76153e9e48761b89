//===- MathAccuracy.cpp - how good our own device math is -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of device/math/math.c, compiled for this machine, against the C
// library's long double functions. An error is counted in units in the last
// place of the result's type; the limits are what
// was measured, to the next whole number or half.
//
//===----------------------------------------------------------------------===//

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace {

template <typename T> double ulps(T got, long double wanted) {
  if (std::isnan(wanted))
    return std::isnan(got) ? 0 : INFINITY;
  T rounded = static_cast<T>(wanted);
  if (std::isinf(rounded) || std::isinf(got))
    return got == rounded ? 0 : INFINITY;
  int exponent = rounded == 0 ? std::numeric_limits<T>::min_exponent
                              : std::ilogb(rounded) + 1;
  exponent = std::max(exponent, std::numeric_limits<T>::min_exponent);
  long double unit =
      std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits);
  return static_cast<double>(std::fabs(got - wanted) / unit);
}

template <typename T, typename F, typename G>
void expectOne(const char *name, F function, G reference, double low,
               double high, double limit) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> at(low, high);
  double worst = 0;
  T worstAt = 0;
  for (int i = 0; i < 20000; ++i) {
    T x = static_cast<T>(at(random));
    double error = ulps<T>(function(x), reference(x));
    if (!(error <= worst)) {
      worst = error;
      worstAt = x;
    }
  }
  EXPECT_LE(worst, limit) << name << "(" << worstAt << ")";
}

template <typename T, typename F, typename G>
void expectTwo(const char *name, F function, G reference, double low,
               double high, double low2, double high2, double limit) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> at(low, high), at2(low2, high2);
  double worst = 0;
  T worstX = 0, worstY = 0;
  for (int i = 0; i < 20000; ++i) {
    T x = static_cast<T>(at(random)), y = static_cast<T>(at2(random));
    double error = ulps<T>(function(x, y), reference(x, y));
    if (!(error <= worst)) {
      worst = error;
      worstX = x;
      worstY = y;
    }
  }
  EXPECT_LE(worst, limit) << name << "(" << worstX << ", " << worstY << ")";
}

} // namespace

// X(name, from, to, limit for double, limit for float)
#define ONE_ARGUMENT(X)                                                        \
  X(sin, -10, 10, 2, 2)                                                        \
  X(sin, -1e6, 1e6, 2, 2)                                                      \
  X(cos, -10, 10, 2, 2)                                                        \
  X(tan, -1.5, 1.5, 2, 2.5)                                                    \
  X(asin, -1, 1, 2, 2)                                                         \
  X(acos, -1, 1, 2, 2)                                                         \
  X(atan, -100, 100, 2, 2)                                                     \
  X(sinh, -20, 20, 2, 2.5)                                                     \
  X(cosh, -20, 20, 2, 2.5)                                                     \
  X(tanh, -5, 5, 2, 2)                                                         \
  X(asinh, -100, 100, 2, 2)                                                    \
  X(acosh, 1, 100, 2, 2)                                                       \
  X(atanh, -0.99, 0.99, 2, 2)                                                  \
  X(exp, -740, 700, 2, 2)                                                      \
  X(exp2, -1070, 1000, 2, 2)                                                   \
  X(exp10, -30, 30, 2, 2)                                                      \
  X(expm1, -5, 5, 2, 2)                                                        \
  X(log, 1e-6, 1e6, 2, 2)                                                      \
  X(log2, 1e-6, 1e6, 2, 2)                                                     \
  X(log10, 1e-6, 1e6, 2, 2)                                                    \
  X(log1p, -0.9, 10, 2, 2)                                                     \
  X(cbrt, -1000, 1000, 2, 2)                                                   \
  X(erf, -4, 4, 2, 2)                                                          \
  X(erfc, -4, 26, 2.5, 4)                                                      \
  X(tgamma, 0.5, 171, 2, 1)                                                    \
  X(tgamma, -20, 0, 2, 1)                                                      \
  X(tgamma, -176, -100, 2, 1)                                                  \
  X(lgamma, 3, 150, 2, 3)                                                      \
  X(normcdf, -38, 9, 3, 1)                                                     \
  X(erfinv, -1, 1, 2.5, 1)                                                     \
  X(erfcinv, 0, 2, 2.5, 1)                                                     \
  X(erfcinv, 0, 1e-6, 2, 1)                                                    \
  X(normcdfinv, 0, 1, 3, 1)                                                    \
  X(erfcx, -5, 10, 4, 1)                                                       \
  X(cyl_bessel_i0, -30, 30, 10, 1)                                             \
  X(cyl_bessel_i1, -30, 30, 10, 1)

// X(name, from, to, from, to, limit for double, limit for float)
#define TWO_ARGUMENTS(X)                                                       \
  X(pow, 0.01, 100, -10, 10, 2, 2)                                             \
  X(atan2, -10, 10, -10, 10, 2, 2.5)                                           \
  X(hypot, -100, 100, -100, 100, 2, 2)                                         \
  X(fmod, -100, 100, 0.1, 10, 0, 0)                                            \
  X(remainder, -100, 100, 0.1, 10, 0, 0)

extern "C" {
#define DECLARE(name)                                                          \
  double __nv_##name(double);                                                  \
  float __nv_##name##f(float);
#define DECLARE_TWO(name, ...)                                                 \
  double __nv_##name(double, double);                                          \
  float __nv_##name##f(float, float);
#define DECLARE_ONE(name, ...) DECLARE(name)
ONE_ARGUMENT(DECLARE_ONE)
TWO_ARGUMENTS(DECLARE_TWO)
double __nv_powi(double, int);
double divideTowardsZero(double, double);
float divideTowardsZerof(float, float);
DECLARE(j0)
DECLARE(j1)
DECLARE(y0)
DECLARE(y1)
}

template <typename T> static T divideTowardsZeroAs(T x, T y) {
  const int mode = std::fegetround();
  std::fesetround(FE_TOWARDZERO);
  const volatile T dividend = x, divisor = y;
  const volatile T quotient = dividend / divisor;
  std::fesetround(mode);
  return quotient;
}
double divideTowardsZero(double x, double y) {
  return divideTowardsZeroAs(x, y);
}
float divideTowardsZerof(float x, float y) { return divideTowardsZeroAs(x, y); }

/// The same bits as the C library, for numbers of all sizes.
template <typename T, typename Bits, typename F>
static void expectRemainders(F function) {
  std::mt19937_64 random(13);
  auto check = [&](T x, T y) {
    const T got = function(x, y), wanted = std::fmod(x, y);
    if (std::isnan(wanted))
      EXPECT_TRUE(std::isnan(got)) << x << ", " << y << ": " << got;
    else
      EXPECT_EQ(std::bit_cast<Bits>(got), std::bit_cast<Bits>(wanted))
          << x << ", " << y << ": " << got << ", not " << wanted;
  };
  using Limits = std::numeric_limits<T>;
  const T edges[] = {0,
                     Limits::denorm_min(),
                     3 * Limits::denorm_min(),
                     Limits::min(),
                     Limits::max(),
                     Limits::infinity(),
                     Limits::quiet_NaN(),
                     1,
                     3,
                     T(0.1)};
  for (T x : edges)
    for (T y : edges)
      for (T a : {x, -x})
        for (T b : {y, -y})
          check(a, b);
  for (int i = 0; i < 200000; ++i) {
    check(std::bit_cast<T>(static_cast<Bits>(random())),
          std::bit_cast<T>(static_cast<Bits>(random())));
    // Whole quotients and what lies beside them.
    const T y = std::ldexp(T(random() >> 40), int(random() % 60) - 30);
    const T x = y * T(random() % (1 << 20));
    for (T near : {x, std::nextafter(x, T(0)), std::nextafter(x, 2 * x)})
      check(near, y);
    // Denormal numbers and their like.
    const int most = Limits::digits + 4;
    check(std::bit_cast<T>(static_cast<Bits>(random() % (Bits(1) << most))),
          std::bit_cast<T>(
              static_cast<Bits>(random() % (Bits(1) << random() % most))));
  }
}

static long double exp10(long double x) { return std::pow(10.0L, x); }
static long double normcdf(long double x) {
  return 0.5L * std::erfc(-x / std::sqrt(2.0L));
}
static long double erfcx(long double x) {
  return std::exp(x * x) * std::erfc(x);
}

/// Where the decreasing \p f is \p wanted.
template <typename F> static long double inverse(F f, long double wanted) {
  long double low = -40, high = 40;
  for (int i = 0; i < 90; ++i) {
    long double middle = (low + high) / 2;
    (f(middle) > wanted ? low : high) = middle;
  }
  return (low + high) / 2;
}
static long double erfcinv(long double x);
static long double erfinv(long double x) {
  // Where one less x would lose digits, x itself is inverted.
  return std::fabs(x) > 0.5L
             ? erfcinv(1 - x)
             : inverse([](long double y) { return -std::erf(y); }, -x);
}
static long double erfcinv(long double x) {
  return x > 0.5L && x < 1.5L
             ? erfinv(1 - x)
             : inverse([](long double y) { return std::erfc(y); }, x);
}
static long double normcdfinv(long double x) {
  return -std::sqrt(2.0L) * erfcinv(2 * x);
}

/// The power series of the modified Bessel function.
static long double modifiedBessel(int n, long double x) {
  long double sum = 0, term = n ? x / 2 : 1;
  for (int k = 1; k < 300; ++k) {
    sum += term;
    term *= x * x / 4 / k / (k + n);
  }
  return sum;
}
static long double cyl_bessel_i0(long double x) { return modifiedBessel(0, x); }
static long double cyl_bessel_i1(long double x) { return modifiedBessel(1, x); }

TEST(DeviceMath, OneArgument) {
  using namespace std;
#define TEST_ONE(name, low, high, limit, limitF)                               \
  expectOne<double>(                                                           \
      #name, __nv_##name, [](long double x) { return name(x); }, low, high,    \
      limit);                                                                  \
  expectOne<float>(                                                            \
      #name "f", __nv_##name##f, [](long double x) { return name(x); }, low,   \
      high, limitF);
  ONE_ARGUMENT(TEST_ONE)
}

TEST(DeviceMath, TwoArguments) {
  using namespace std;
#define TEST_TWO(name, low, high, low2, high2, limit, limitF)                  \
  expectTwo<double>(                                                           \
      #name, __nv_##name,                                                      \
      [](long double x, long double y) { return name(x, y); }, low, high,      \
      low2, high2, limit);                                                     \
  expectTwo<float>(                                                            \
      #name "f", __nv_##name##f,                                               \
      [](long double x, long double y) { return name(x, y); }, low, high,      \
      low2, high2, limitF);
  TWO_ARGUMENTS(TEST_TWO)
}

TEST(DeviceMath, Remainders) {
  expectRemainders<double, uint64_t>(__nv_fmod);
  expectRemainders<float, uint32_t>(__nv_fmodf);
}

TEST(DeviceMath, PowerOfAnInteger) {
  EXPECT_EQ(__nv_powi(2.0, 10), 1024.0);
  EXPECT_EQ(__nv_powi(-2.0, 3), -8.0);
  EXPECT_EQ(__nv_powi(2.0, -2), 0.25);
  EXPECT_EQ(__nv_powi(0.0, 0), 1.0);
}

TEST(DeviceMath, SpecialValues) {
  EXPECT_TRUE(std::isnan(__nv_log(-1.0)));
  EXPECT_EQ(__nv_log(0.0), -INFINITY);
  EXPECT_EQ(__nv_exp(1000.0), INFINITY);
  EXPECT_EQ(__nv_exp(-1000.0), 0.0);
  EXPECT_TRUE(std::isnan(__nv_sin(INFINITY)));
  EXPECT_EQ(__nv_pow(0.0, 0.0), 1.0);
  EXPECT_EQ(__nv_atan2(0.0, -1.0), M_PI);
  EXPECT_EQ(__nv_tgamma(-0.0), -INFINITY);
  EXPECT_EQ(__nv_tgamma(5.0), 24.0);
  EXPECT_EQ(__nv_tgamma(171.0), 7.257415615307999e306);
  EXPECT_EQ(__nv_tgamma(172.0), INFINITY);
  EXPECT_TRUE(std::isnan(__nv_tgamma(-3.0)));
  EXPECT_TRUE(std::signbit(__nv_tgamma(-200.5)));
  EXPECT_FALSE(std::signbit(__nv_tgamma(-201.5)));
  EXPECT_EQ(__nv_erfinv(1.0), INFINITY);
  EXPECT_EQ(__nv_erfinv(-1.0), -INFINITY);
  EXPECT_TRUE(std::signbit(__nv_erfinv(-0.0)));
  EXPECT_TRUE(std::isnan(__nv_erfinv(1.5)));
  EXPECT_EQ(__nv_erfcinv(0.0), INFINITY);
  EXPECT_EQ(__nv_erfcinv(2.0), -INFINITY);
  EXPECT_EQ(__nv_erfcinv(1.0), 0.0);
  EXPECT_NEAR(__nv_erfcinv(5e-324), 27.2, 0.1);
  EXPECT_TRUE(std::isnan(__nv_normcdfinv(-0.5)));
  EXPECT_EQ(__nv_normcdfinv(1.0), INFINITY);
  EXPECT_EQ(__nv_normcdf(INFINITY), 1.0);
  EXPECT_EQ(__nv_normcdf(-INFINITY), 0.0);
  EXPECT_EQ(__nv_cyl_bessel_i0(-INFINITY), INFINITY);
  EXPECT_EQ(__nv_cyl_bessel_i1(-INFINITY), -INFINITY);
}

TEST(DeviceMath, BesselFunctions) {
  // Near their zeros the absolute error counts.
  for (double x = 0.01; x < 200; x += 0.01) {
    EXPECT_NEAR(__nv_j0(x), j0l(x), 4e-16) << x;
    EXPECT_NEAR(__nv_j1(x), j1l(x), 4e-16) << x;
    EXPECT_NEAR(__nv_y0(x), y0l(x), 1e-15) << x;
    double y1 = y1l(x);
    EXPECT_NEAR(__nv_y1(x), y1, 1e-15 * std::max(1.0, std::fabs(y1))) << x;
  }
}
