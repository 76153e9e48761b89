//===- DirectedRounding.cpp - device/cpu against the processor ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Directed rounding on the CPU is worked out in rounding to nearest. Here the
// processor does it in the mode itself, for numbers of all sizes: ordinary
// ones, the least and the greatest, sums that cancel, and any bits.
//
//===----------------------------------------------------------------------===//

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>

namespace {

uint64_t state = 88172645463325252u;
uint64_t bits() {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

template <typename T, typename U> T fromBits(U value) {
  T number;
  static_assert(sizeof(T) == sizeof(U));
  std::memcpy(&number, &value, sizeof(T));
  return number;
}

double anyDouble() {
  static const double special[] = {0.0,
                                   -0.0,
                                   INFINITY,
                                   -INFINITY,
                                   0x1p-1074,
                                   -0x1p-1074,
                                   0x1p-1022,
                                   1.0,
                                   -1.0,
                                   3.0,
                                   0x1p-540,
                                   0x1.8p-600,
                                   0x1.5p-1000,
                                   0x1.3p-1020,
                                   0x1.7p970,
                                   0x1p1023,
                                   0x1.fffffffffffffp1023,
                                   -0x1.fffffffffffffp1023};
  const uint64_t b = bits();
  switch (bits() % 4) {
  case 0:
    return fromBits<double>(b);
  case 1:
    return static_cast<int>(b % 2001) - 1000;
  case 2:
    return fromBits<double>((b & 0x800fffffffffffffu) |
                            (1023 - 30 + bits() % 60) << 52);
  default:
    return special[b % std::size(special)];
  }
}

float anyFloat() {
  static const float special[] = {
      0.0f,       -0.0f,      INFINITY,        -INFINITY,
      0x1p-149f,  -0x1p-149f, 0x1p-126f,       1.0f,
      -1.0f,      3.0f,       0x1p-100f,       0x1.8p-80f,
      0x1.5p-60f, 0x1p127f,   0x1.fffffep127f, -0x1.fffffep127f};
  const auto b = static_cast<uint32_t>(bits());
  switch (bits() % 4) {
  case 0:
    return fromBits<float>(b);
  case 1:
    return static_cast<float>(static_cast<int>(b % 2001) - 1000);
  case 2:
    return fromBits<float>((b & 0x807fffffu) |
                           static_cast<uint32_t>(127 - 12 + bits() % 24) << 23);
  default:
    return special[b % std::size(special)];
  }
}

/// What came out and what should, in one mode.
template <typename T>
void same(const char *name, T got, T wanted, double a, double b, double c) {
  if (std::isnan(got) && std::isnan(wanted))
    return;
  EXPECT_TRUE(got == wanted && std::signbit(got) == std::signbit(wanted))
      << name << '(' << std::hexfloat << a << ", " << b << ", " << c
      << ") = " << got << ", not " << wanted;
}

constexpr int Iterations = 200000;

} // namespace

// What else cpu.c rests on.
extern "C" double __nv_sin(double x) { return std::sin(x); }
extern "C" double __nv_cos(double x) { return std::cos(x); }

// Operands and results are volatile: nothing may be computed in another mode.
#define CHECK_AS(T, name, call, expression)                                    \
  {                                                                            \
    const T got = call;                                                        \
    std::fesetround(mode);                                                     \
    volatile T wanted = expression;                                            \
    std::fesetround(FE_TONEAREST);                                             \
    same<T>(name, got, wanted, a, b, c);                                       \
  }

#define MODE(nv, direction, Name)                                              \
  extern "C" {                                                                 \
  float __nv_fadd_##nv(float, float), __nv_fsub_##nv(float, float),            \
      __nv_fmul_##nv(float, float), __nv_fdiv_##nv(float, float),              \
      __nv_frcp_##nv(float), __nv_fsqrt_##nv(float),                           \
      __nv_fmaf_##nv(float, float, float), __nv_double2float_##nv(double),     \
      __nv_int2float_##nv(int), __nv_uint2float_##nv(unsigned),                \
      __nv_ll2float_##nv(long long), __nv_ull2float_##nv(unsigned long long);  \
  double __nv_dadd_##nv(double, double), __nv_dsub_##nv(double, double),       \
      __nv_dmul_##nv(double, double), __nv_ddiv_##nv(double, double),          \
      __nv_drcp_##nv(double), __nv_dsqrt_##nv(double),                         \
      __nv_fma_##nv(double, double, double), __nv_ll2double_##nv(long long),   \
      __nv_ull2double_##nv(unsigned long long);                                \
  }                                                                            \
  TEST(DirectedRounding, Name##Single) {                                       \
    const int mode = direction;                                                \
    for (int iteration = 0; iteration < Iterations; ++iteration) {             \
      volatile float a = anyFloat(), b = anyFloat(), c = anyFloat();           \
      if (iteration % 3 == 0)                                                  \
        c = -a * b;                                                            \
      if (iteration % 5 == 0)                                                  \
        b = -a;                                                                \
      CHECK_AS(float, "fadd", __nv_fadd_##nv(a, b), a + b)                     \
      CHECK_AS(float, "fsub", __nv_fsub_##nv(a, b), a - b)                     \
      CHECK_AS(float, "fmul", __nv_fmul_##nv(a, b), a *b)                      \
      CHECK_AS(float, "fdiv", __nv_fdiv_##nv(a, b), a / b)                     \
      CHECK_AS(float, "frcp", __nv_frcp_##nv(a), 1.0f / a)                     \
      CHECK_AS(float, "fsqrt", __nv_fsqrt_##nv(a), std::sqrt(a))               \
      CHECK_AS(float, "fmaf", __nv_fmaf_##nv(a, b, c), std::fma(a, b, c))      \
    }                                                                          \
  }                                                                            \
  TEST(DirectedRounding, Name##Double) {                                       \
    const int mode = direction;                                                \
    for (int iteration = 0; iteration < Iterations; ++iteration) {             \
      volatile double a = anyDouble(), b = anyDouble(), c = anyDouble();       \
      if (iteration % 3 == 0)                                                  \
        c = -a * b;                                                            \
      if (iteration % 5 == 0)                                                  \
        b = -a * (1 + iteration % 4 * 0x1p-52);                                \
      CHECK_AS(double, "dadd", __nv_dadd_##nv(a, b), a + b)                    \
      CHECK_AS(double, "dsub", __nv_dsub_##nv(a, b), a - b)                    \
      CHECK_AS(double, "dmul", __nv_dmul_##nv(a, b), a *b)                     \
      CHECK_AS(double, "ddiv", __nv_ddiv_##nv(a, b), a / b)                    \
      CHECK_AS(double, "drcp", __nv_drcp_##nv(a), 1.0 / a)                     \
      CHECK_AS(double, "dsqrt", __nv_dsqrt_##nv(a), std::sqrt(a))              \
      CHECK_AS(double, "fma", __nv_fma_##nv(a, b, c), std::fma(a, b, c))       \
      CHECK_AS(float, "double2float", __nv_double2float_##nv(a),               \
               static_cast<float>(a))                                          \
    }                                                                          \
  }                                                                            \
  TEST(DirectedRounding, Name##Integers) {                                     \
    const int mode = direction;                                                \
    const double a = 0, b = 0, c = 0;                                          \
    for (int iteration = 0; iteration < Iterations; ++iteration) {             \
      volatile auto i = static_cast<long long>(bits()) >> iteration % 60;      \
      volatile unsigned long long u = bits() >> iteration % 60;                \
      volatile int j = static_cast<int>(i);                                    \
      volatile auto v = static_cast<unsigned>(u);                              \
      CHECK_AS(float, "int2float", __nv_int2float_##nv(j),                     \
               static_cast<float>(j))                                          \
      CHECK_AS(float, "uint2float", __nv_uint2float_##nv(v),                   \
               static_cast<float>(v))                                          \
      CHECK_AS(float, "ll2float", __nv_ll2float_##nv(i),                       \
               static_cast<float>(i))                                          \
      CHECK_AS(float, "ull2float", __nv_ull2float_##nv(u),                     \
               static_cast<float>(u))                                          \
      CHECK_AS(double, "ll2double", __nv_ll2double_##nv(i),                    \
               static_cast<double>(i))                                         \
      CHECK_AS(double, "ull2double", __nv_ull2double_##nv(u),                  \
               static_cast<double>(u))                                         \
    }                                                                          \
  }
MODE(rd, FE_DOWNWARD, Down)
MODE(ru, FE_UPWARD, Up)
MODE(rz, FE_TOWARDZERO, TowardsZero)
