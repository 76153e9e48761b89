//===- integer_words.h - dot products and minima of words -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_INTEGER_WORDS_H
#define CUFORT_INTEGER_WORDS_H

// Dot products of two halves and two bytes, and the functions that CUDA calls
// DPX: written out, which host code can call as well.
#define __CUFORT_BOTH static __host__ __device__ __forceinline__

#define __CUFORT_DOT2(T, Half, Byte, Half2, Byte4)                             \
  static __device__ __forceinline__ T __dp2a_lo(T a, T b, T c) {               \
    return c + (T)(Half)a * (Byte)b + (T)(Half)(a >> 16) * (Byte)(b >> 8);     \
  }                                                                            \
  static __device__ __forceinline__ T __dp2a_hi(T a, T b, T c) {               \
    return c + (T)(Half)a * (Byte)(b >> 16) +                                  \
           (T)(Half)(a >> 16) * (Byte)(b >> 24);                               \
  }                                                                            \
  static __device__ __forceinline__ T __dp2a_lo(Half2 a, Byte4 b, T c) {       \
    return __dp2a_lo(__builtin_bit_cast(T, a), __builtin_bit_cast(T, b), c);   \
  }                                                                            \
  static __device__ __forceinline__ T __dp2a_hi(Half2 a, Byte4 b, T c) {       \
    return __dp2a_hi(__builtin_bit_cast(T, a), __builtin_bit_cast(T, b), c);   \
  }
__CUFORT_DOT2(int, short, signed char, short2, char4)
__CUFORT_DOT2(unsigned int, unsigned short, unsigned char, ushort2, uchar4)
#undef __CUFORT_DOT2

#define __CUFORT_RELU(x) ((x) < 0 ? 0 : (x))
#define __CUFORT_SMALLER(T, a, b) ((T)(b) < (T)(a) ? (T)(b) : (T)(a))
#define __CUFORT_LARGER(T, a, b) ((T)(a) < (T)(b) ? (T)(b) : (T)(a))

/// One word, signed or not: of three, after an addition, at least zero, and
/// which of two it was.
#define __CUFORT_WORD(name, T, pick, suffix)                                   \
  __CUFORT_BOTH T __vi##name##3_##suffix(T a, T b, T c) {                      \
    T d = pick(T, a, b);                                                       \
    return pick(T, d, c);                                                      \
  }                                                                            \
  __CUFORT_BOTH T __viadd##name##_##suffix(T a, T b, T c) {                    \
    T d = (T)((unsigned int)a + (unsigned int)b);                              \
    return pick(T, d, c);                                                      \
  }                                                                            \
  __CUFORT_BOTH T __vib##name##_##suffix(T a, T b, bool *first) {              \
    T d = pick(T, a, b);                                                       \
    *first = d == a;                                                           \
    return d;                                                                  \
  }
__CUFORT_WORD(max, int, __CUFORT_LARGER, s32)
__CUFORT_WORD(min, int, __CUFORT_SMALLER, s32)
__CUFORT_WORD(max, unsigned int, __CUFORT_LARGER, u32)
__CUFORT_WORD(min, unsigned int, __CUFORT_SMALLER, u32)
#undef __CUFORT_WORD
#define __CUFORT_WORD_RELU(name, pick)                                         \
  __CUFORT_BOTH int __vi##name##_s32_relu(int a, int b) {                      \
    int d = pick(int, a, b);                                                   \
    return __CUFORT_RELU(d);                                                   \
  }                                                                            \
  __CUFORT_BOTH int __vi##name##3_s32_relu(int a, int b, int c) {              \
    int d = __vi##name##3_s32(a, b, c);                                        \
    return __CUFORT_RELU(d);                                                   \
  }                                                                            \
  __CUFORT_BOTH int __viadd##name##_s32_relu(int a, int b, int c) {            \
    int d = __viadd##name##_s32(a, b, c);                                      \
    return __CUFORT_RELU(d);                                                   \
  }
__CUFORT_WORD_RELU(max, __CUFORT_LARGER)
__CUFORT_WORD_RELU(min, __CUFORT_SMALLER)
#undef __CUFORT_WORD_RELU

/// The same of both halves of a word.
#define __CUFORT_HALVES(low, high)                                             \
  ((unsigned int)(unsigned short)(low) | (unsigned int)(unsigned short)(high)  \
                                             << 16)
#define __CUFORT_LOW(T, x) ((T)(unsigned short)(x))
#define __CUFORT_HIGH(T, x) ((T)(unsigned short)((x) >> 16))
#define __CUFORT_PAIR(name, T, pick, suffix)                                   \
  __CUFORT_BOTH T __cufort_##name##3_##suffix(T a, T b, T c) {                 \
    T d = pick(T, a, b);                                                       \
    return pick(T, d, c);                                                      \
  }                                                                            \
  __CUFORT_BOTH T __cufort_add##name##_##suffix(T a, T b, T c) {               \
    T d = (T)(a + b);                                                          \
    return pick(T, d, c);                                                      \
  }                                                                            \
  __CUFORT_BOTH unsigned int __vi##name##3_##suffix##x2(                       \
      unsigned int a, unsigned int b, unsigned int c) {                        \
    return __CUFORT_HALVES(                                                    \
        __cufort_##name##3_##suffix(__CUFORT_LOW(T, a), __CUFORT_LOW(T, b),    \
                                    __CUFORT_LOW(T, c)),                       \
        __cufort_##name##3_##suffix(__CUFORT_HIGH(T, a), __CUFORT_HIGH(T, b),  \
                                    __CUFORT_HIGH(T, c)));                     \
  }                                                                            \
  __CUFORT_BOTH unsigned int __viadd##name##_##suffix##x2(                     \
      unsigned int a, unsigned int b, unsigned int c) {                        \
    return __CUFORT_HALVES(                                                    \
        __cufort_add##name##_##suffix(__CUFORT_LOW(T, a), __CUFORT_LOW(T, b),  \
                                      __CUFORT_LOW(T, c)),                     \
        __cufort_add##name##_##suffix(                                         \
            __CUFORT_HIGH(T, a), __CUFORT_HIGH(T, b), __CUFORT_HIGH(T, c)));   \
  }                                                                            \
  __CUFORT_BOTH unsigned int __vib##name##_##suffix##x2(                       \
      unsigned int a, unsigned int b, bool *high, bool *low) {                 \
    T l = pick(T, __CUFORT_LOW(T, a), __CUFORT_LOW(T, b));                     \
    T h = pick(T, __CUFORT_HIGH(T, a), __CUFORT_HIGH(T, b));                   \
    *low = l == __CUFORT_LOW(T, a);                                            \
    *high = h == __CUFORT_HIGH(T, a);                                          \
    return __CUFORT_HALVES(l, h);                                              \
  }
__CUFORT_PAIR(max, short, __CUFORT_LARGER, s16)
__CUFORT_PAIR(min, short, __CUFORT_SMALLER, s16)
__CUFORT_PAIR(max, unsigned short, __CUFORT_LARGER, u16)
__CUFORT_PAIR(min, unsigned short, __CUFORT_SMALLER, u16)
#undef __CUFORT_PAIR
__CUFORT_BOTH unsigned int __cufort_relu_s16x2(unsigned int x) {
  short low = __CUFORT_LOW(short, x), high = __CUFORT_HIGH(short, x);
  return __CUFORT_HALVES(__CUFORT_RELU(low), __CUFORT_RELU(high));
}
#define __CUFORT_PAIR_RELU(name)                                               \
  __CUFORT_BOTH unsigned int __vi##name##_s16x2_relu(unsigned int a,           \
                                                     unsigned int b) {         \
    return __cufort_relu_s16x2(__vi##name##3_s16x2(a, b, b));                  \
  }                                                                            \
  __CUFORT_BOTH unsigned int __vi##name##3_s16x2_relu(                         \
      unsigned int a, unsigned int b, unsigned int c) {                        \
    return __cufort_relu_s16x2(__vi##name##3_s16x2(a, b, c));                  \
  }                                                                            \
  __CUFORT_BOTH unsigned int __viadd##name##_s16x2_relu(                       \
      unsigned int a, unsigned int b, unsigned int c) {                        \
    return __cufort_relu_s16x2(__viadd##name##_s16x2(a, b, c));                \
  }
__CUFORT_PAIR_RELU(max)
__CUFORT_PAIR_RELU(min)
#undef __CUFORT_PAIR_RELU
#undef __CUFORT_HALVES
#undef __CUFORT_LOW
#undef __CUFORT_HIGH
#undef __CUFORT_RELU
#undef __CUFORT_SMALLER
#undef __CUFORT_LARGER
#undef __CUFORT_BOTH

#endif // CUFORT_INTEGER_WORDS_H
