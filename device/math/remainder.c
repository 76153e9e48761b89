//===- remainder.c - fmod, exactly ----------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In place of libdevice's, whose fmodf makes zeros of results that are denormal
// numbers, and of libclc's, which takes a bit of the quotient at a time.
//
// Where the quotient is a number below 2**(bits of the fraction + 1), dividing
// towards zero gives its whole part exactly: a whole number is a number, and
// what lies above one is not rounded below it. x - n * y is then a multiple of
// the unit of y and less than y, thus a number, and one fused operation finds
// it. Greater quotients are brought down by multiples of y that are y times a
// power of two, some twenty or fifty bits at a time.
//
//===----------------------------------------------------------------------===//

typedef unsigned long long u64;
typedef unsigned int u32;

// X(type, suffix, unsigned integer of its size, bits of the fraction, bias,
// division rounded towards zero, leading zeros)
#define BOTH_REALS(X)                                                          \
  X(float, f, u32, 23, 127, __nvvm_div_rz_f, __builtin_clz)                    \
  X(double, , u64, 52, 1023, __nvvm_div_rz_d, __builtin_clzll)

#define REMAINDER(T, f, U, fraction, bias, divide, zeros)                      \
  /* The place of the leading bit, that of the least number being 0. */        \
  static int leadingBit##f(T x) {                                              \
    const U bits = __builtin_bit_cast(U, x);                                   \
    const int stored = (int)(bits >> fraction);                                \
    return stored ? stored + fraction - 1                                      \
                  : 8 * (int)sizeof(U) - 1 - zeros(bits);                      \
  }                                                                            \
  static T powerOfTwo##f(int n) {                                              \
    return __builtin_bit_cast(T, (U)(n + bias) << fraction);                   \
  }                                                                            \
  /* Of positive numbers whose quotient is small enough. */                    \
  static T reduce##f(T x, T y) {                                               \
    return __builtin_fma##f(-__builtin_trunc##f(divide(x, y)), y, x);          \
  }                                                                            \
  T __nv_fmod##f(T x, T y) {                                                   \
    const T divisor = __builtin_fabs##f(y);                                    \
    T rest = __builtin_fabs##f(x);                                             \
    if (!(rest < __builtin_inf##f()) || !(divisor > 0))                        \
      return x * y / (x * y); /* no number */                                  \
    if (rest < divisor)                                                        \
      return x;                                                                \
    if (divide(rest, divisor) < (T)((U)1 << fraction))                         \
      return __builtin_copysign##f(reduce##f(rest, divisor), x);               \
    while (rest >= divisor) {                                                  \
      int above = leadingBit##f(rest) - leadingBit##f(divisor) - fraction + 1; \
      above = above > 0 ? above : 0;                                           \
      /* As a power of two it may be too large. */                             \
      const int half = above / 2;                                              \
      rest = reduce##f(rest, divisor * powerOfTwo##f(half) *                   \
                                 powerOfTwo##f(above - half));                 \
    }                                                                          \
    return __builtin_copysign##f(rest, x);                                     \
  }
BOTH_REALS(REMAINDER)
