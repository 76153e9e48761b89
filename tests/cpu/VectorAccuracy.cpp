//===- VectorAccuracy.cpp - how good libmvec is ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every vector function that compiler/cpu/simd/VectorMath.cpp calls, for all
// vector lengths that this machine has, against the C library's long double
// functions: at most 4 units in the last place, also for denormal numbers. This
// is what kernels get in place of libm.
//
//===----------------------------------------------------------------------===//

#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>

namespace {

template <typename T> double ulps(T got, long double wanted) {
  if (std::isnan(wanted))
    return std::isnan(got) ? 0 : INFINITY;
  const T rounded = static_cast<T>(wanted);
  if (std::isinf(rounded) || std::isinf(got))
    return got == rounded ? 0 : INFINITY;
  const int least = std::numeric_limits<T>::min_exponent;
  const int exponent =
      rounded == 0 ? least : std::max(std::ilogb(rounded) + 1, least);
  const long double unit =
      std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits);
  return static_cast<double>(std::fabs(got - wanted) / unit);
}

template <typename T, int Bytes> struct Vector {
  typedef T Type __attribute__((vector_size(Bytes)));
};

// The vector ABI's letter for an instruction set, and calls with its registers.
#define CALLS(name, bytes, isa)                                                \
  template <typename T>                                                        \
  __attribute__((target(isa), noinline)) void name(                            \
      void *function, int count, const T *x, const T *y, T *result) {          \
    using V = typename Vector<T, bytes>::Type;                                 \
    V a, b, c;                                                                 \
    std::memcpy(&a, x, bytes);                                                 \
    std::memcpy(&b, y, bytes);                                                 \
    if (count == 1)                                                            \
      c = reinterpret_cast<V (*)(V)>(function)(a);                             \
    else                                                                       \
      c = reinterpret_cast<V (*)(V, V)>(function)(a, b);                       \
    std::memcpy(result, &c, bytes);                                            \
  }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
CALLS(callB, 16, "sse4.2")
CALLS(callD, 32, "avx2")
CALLS(callE, 64, "avx512f")
#pragma GCC diagnostic pop

struct Range {
  double low, high;
  double secondLow = 0, secondHigh = 0; ///< of a second argument
};

using Reference = std::function<long double(long double, long double)>;

template <typename T>
void check(const std::string &name, int count, const Range &range,
           const Reference &reference, double limit) {
  static void *library = dlopen("libmvec.so.1", RTLD_NOW);
  ASSERT_TRUE(library) << dlerror();
  struct Form {
    char letter;
    int bytes;
    bool isHere;
  };
  const Form forms[] = {{'b', 16, __builtin_cpu_supports("sse4.2") != 0},
                        {'d', 32, __builtin_cpu_supports("avx2") != 0},
                        {'e', 64, __builtin_cpu_supports("avx512f") != 0}};
  for (const Form &form : forms) {
    if (!form.isHere)
      continue;
    const int lanes = form.bytes / static_cast<int>(sizeof(T));
    const std::string symbol = std::string("_ZGV") + form.letter + "N" +
                               std::to_string(lanes) + std::string(count, 'v') +
                               "_" + name + (sizeof(T) == 4 ? "f" : "");
    void *function = dlsym(library, symbol.c_str());
    ASSERT_TRUE(function) << symbol;
    // The same numbers each time.
    // NOLINTNEXTLINE(bugprone-random-generator-seed)
    std::mt19937_64 random(7);
    auto pick = [&](double low, double high) {
      // Half of them evenly, half evenly by their size.
      const double part = std::uniform_real_distribution<>(0, 1)(random);
      const bool isBySize = random() % 2;
      if (!isBySize || low * high < 0)
        return static_cast<T>(low + part * (high - low));
      const double least = std::numeric_limits<T>::denorm_min();
      const double sign = high <= 0 ? -1 : 1;
      const double a = std::max(std::min(std::fabs(low), std::fabs(high)),
                                least),
                   b = std::max(std::fabs(low), std::fabs(high));
      return static_cast<T>(
          sign * std::exp(std::log(a) + part * (std::log(b) - std::log(a))));
    };
    double worst = 0;
    T worstX = 0, worstY = 0, worstGot = 0;
    for (int iteration = 0; iteration < 20000 / lanes; ++iteration) {
      T x[16] = {}, y[16] = {}, result[16];
      for (int i = 0; i < lanes; ++i) {
        x[i] = pick(range.low, range.high);
        y[i] = count > 1 ? pick(range.secondLow, range.secondHigh) : 0;
      }
      (form.letter == 'b'   ? callB<T>
       : form.letter == 'd' ? callD<T>
                            : callE<T>)(function, count, x, y, result);
      for (int i = 0; i < lanes; ++i) {
        const double error = ulps(result[i], reference(x[i], y[i]));
        if (error > worst || std::isinf(error))
          worst = error, worstX = x[i], worstY = y[i], worstGot = result[i];
      }
    }
    EXPECT_LE(worst, limit) << symbol << '(' << std::hexfloat << worstX << ", "
                            << worstY << ") = " << worstGot;
  }
}

void both(const char *name, int count, const Range &single,
          const Range &doubled, const Reference &reference) {
  check<float>(name, count, single, reference, 4);
  check<double>(name, count, doubled, reference, 4);
}

#define ONE(name) [](long double x, long double) { return name##l(x); }

/// All positive numbers, denormal ones included.
constexpr Range AllSingles = {1e-45, 3e38}, AllDoubles = {5e-324, 1.7e308};

} // namespace

TEST(VectorAccuracy, Logarithms) {
  both("log", 1, AllSingles, AllDoubles, ONE(log));
  both("log2", 1, AllSingles, AllDoubles, ONE(log2));
  both("log10", 1, AllSingles, AllDoubles, ONE(log10));
  both("log", 1, {0.5, 2}, {0.5, 2}, ONE(log));
  both("log2", 1, {0.5, 2}, {0.5, 2}, ONE(log2));
  both("log10", 1, {0.5, 2}, {0.5, 2}, ONE(log10));
  both("log1p", 1, AllSingles, AllDoubles, ONE(log1p));
  both("log1p", 1, {-0.999, -1e-45}, {-0.999, -5e-324}, ONE(log1p));
}

TEST(VectorAccuracy, Exponentials) {
  both("exp", 1, {-103, 88.7}, {-745, 709.7}, ONE(exp));
  both("exp2", 1, {-149, 127.9}, {-1074, 1023.9}, ONE(exp2));
  both("exp10", 1, {-45, 38.5}, {-323, 308.2},
       [](long double x, long double) { return powl(10.0L, x); });
  both("expm1", 1, {-60, 88.7}, {-60, 709.7}, ONE(expm1));
  both("expm1", 1, {1e-45, 1}, {5e-324, 1}, ONE(expm1));
}

TEST(VectorAccuracy, Circular) {
  both("sin", 1, {-1000, 1000}, {-1000, 1000}, ONE(sin));
  both("cos", 1, {-1000, 1000}, {-1000, 1000}, ONE(cos));
  both("tan", 1, {-1000, 1000}, {-1000, 1000}, ONE(tan));
  both("sin", 1, {1e-45, 1}, {5e-324, 1}, ONE(sin));
  both("tan", 1, {1e-45, 1}, {5e-324, 1}, ONE(tan));
  both("asin", 1, {-1, 1}, {-1, 1}, ONE(asin));
  both("asin", 1, {1e-45, 1}, {5e-324, 1}, ONE(asin));
  both("acos", 1, {-1, 1}, {-1, 1}, ONE(acos));
  both("atan", 1, AllSingles, AllDoubles, ONE(atan));
  both("atan2", 2, {-100, 100, -100, 100}, {-100, 100, -100, 100}, atan2l);
}

TEST(VectorAccuracy, Hyperbolic) {
  both("sinh", 1, {-88, 88}, {-700, 700}, ONE(sinh));
  both("sinh", 1, {1e-45, 1}, {5e-324, 1}, ONE(sinh));
  both("cosh", 1, {-88, 88}, {-700, 700}, ONE(cosh));
  both("tanh", 1, {1e-45, 30}, {5e-324, 30}, ONE(tanh));
  both("asinh", 1, AllSingles, {5e-324, 1e300}, ONE(asinh));
  both("acosh", 1, {1, 3e38}, {1, 1e300}, ONE(acosh));
  both("atanh", 1, {-0.9999, 0.9999}, {-0.9999, 0.9999}, ONE(atanh));
  both("atanh", 1, {1e-45, 0.5}, {5e-324, 0.5}, ONE(atanh));
}

TEST(VectorAccuracy, PowersAndRoots) {
  both("cbrt", 1, AllSingles, AllDoubles, ONE(cbrt));
  both("hypot", 2, {1e-45, 1e38, 1e-45, 1e38}, {5e-324, 1e308, 5e-324, 1e308},
       hypotl);
  both("pow", 2, {0.01, 100, -15, 15}, {0.01, 100, -120, 120}, powl);
  both("pow", 2, {1e-45, 1e-38, 0.1, 1}, {5e-324, 1e-308, 0.1, 1}, powl);
}

TEST(VectorAccuracy, ErrorFunctions) {
  both("erf", 1, {-6, 6}, {-7, 7}, ONE(erf));
  both("erf", 1, {1e-45, 1}, {5e-324, 1}, ONE(erf));
  both("erfc", 1, {-6, 10}, {-7, 26}, ONE(erfc));
}
