//===- cache_hints.h - loads and stores with cache hints, dot products ---===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_CACHE_HINTS_H
#define CUFORT_CACHE_HINTS_H

// What Clang's headers lack.
#define __CUFORT_HINTS(T, type, constraint)                                    \
  static __device__ __forceinline__ T __ldca(const T *p) {                     \
    T value;                                                                   \
    asm("ld.global.ca." type " %0, [%1];" : constraint(value) : "l"(p));       \
    return value;                                                              \
  }
#define __CUFORT_STORE(name, hint, T, type, constraint)                        \
  static __device__ __forceinline__ void name(T *p, T value) {                 \
    asm volatile("st.global." hint "." type " [%0], %1;" ::"l"(p),             \
                 constraint(value)                                             \
                 : "memory");                                                  \
  }
#define __CUFORT_EACH(T, type, letter)                                         \
  __CUFORT_HINTS(T, type, "=" letter)                                          \
  __CUFORT_STORE(__stcg, "cg", T, type, letter)                                \
  __CUFORT_STORE(__stcs, "cs", T, type, letter)                                \
  __CUFORT_STORE(__stwb, "wb", T, type, letter)
__CUFORT_EACH(int, "s32", "r")
__CUFORT_EACH(unsigned int, "u32", "r")
__CUFORT_EACH(short, "s16", "h")
__CUFORT_EACH(unsigned short, "u16", "h")
__CUFORT_EACH(long, "s64", "l")
__CUFORT_EACH(unsigned long, "u64", "l")
__CUFORT_EACH(long long, "s64", "l")
__CUFORT_EACH(unsigned long long, "u64", "l")
__CUFORT_EACH(float, "f32", "f")
__CUFORT_EACH(double, "f64", "d")
#undef __CUFORT_HINTS
#undef __CUFORT_STORE
#undef __CUFORT_EACH

#define __CUFORT_DOT(T, type)                                                  \
  static __device__ __forceinline__ T __dp4a(T a, T b, T c) {                  \
    T result;                                                                  \
    asm("dp4a." type "." type " %0, %1, %2, %3;"                               \
        : "=r"(result)                                                         \
        : "r"(a), "r"(b), "r"(c));                                             \
    return result;                                                             \
  }
__CUFORT_DOT(int, "s32")
__CUFORT_DOT(unsigned int, "u32")
#undef __CUFORT_DOT
static __device__ __forceinline__ int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
static __device__ __forceinline__ unsigned int __dp4a(uchar4 a, uchar4 b,
                                                      unsigned int c) {
  return __dp4a(__builtin_bit_cast(unsigned int, a),
                __builtin_bit_cast(unsigned int, b), c);
}

#endif // CUFORT_CACHE_HINTS_H
