//===- MathAccuracy.cpp - how good our own device math is -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of device/math.c, compiled for this machine, against the C
// library's long double functions. An error is counted in units in the last
// place of the result's type; the limits are those the OpenCL standard sets
// libclc, or tighter; tgamma, which that standard does not have, is the loose
// one.
//
//===----------------------------------------------------------------------===//

#include <cmath>
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
  X(sin, -10, 10, 4, 4)                                                        \
  X(sin, -1e6, 1e6, 4, 4)                                                      \
  X(cos, -10, 10, 4, 4)                                                        \
  X(tan, -1.5, 1.5, 5, 5)                                                      \
  X(asin, -1, 1, 4, 4)                                                         \
  X(acos, -1, 1, 4, 4)                                                         \
  X(atan, -100, 100, 5, 5)                                                     \
  X(sinh, -20, 20, 4, 4)                                                       \
  X(cosh, -20, 20, 4, 4)                                                       \
  X(tanh, -5, 5, 5, 5)                                                         \
  X(asinh, -100, 100, 4, 4)                                                    \
  X(acosh, 1, 100, 4, 4)                                                       \
  X(atanh, -0.99, 0.99, 5, 5)                                                  \
  X(exp, -80, 80, 3, 3)                                                        \
  X(exp2, -100, 100, 3, 3)                                                     \
  X(exp10, -30, 30, 3, 3)                                                      \
  X(expm1, -5, 5, 3, 3)                                                        \
  X(log, 1e-6, 1e6, 3, 3)                                                      \
  X(log2, 1e-6, 1e6, 3, 3)                                                     \
  X(log10, 1e-6, 1e6, 3, 3)                                                    \
  X(log1p, -0.9, 10, 3, 3)                                                     \
  X(cbrt, -1000, 1000, 2, 2)                                                   \
  X(erf, -4, 4, 16, 16)                                                        \
  X(erfc, -4, 4, 16, 16)                                                       \
  X(tgamma, 0.5, 20, 256, 1)                                                   \
  X(lgamma, 3, 100, 16, 16)

// X(name, from, to, from, to, limit for double, limit for float)
#define TWO_ARGUMENTS(X)                                                       \
  X(pow, 0.01, 100, -10, 10, 16, 16)                                           \
  X(atan2, -10, 10, -10, 10, 6, 6)                                             \
  X(hypot, -100, 100, -100, 100, 4, 4)                                         \
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
}

static long double exp10(long double x) { return std::pow(10.0L, x); }

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
}
