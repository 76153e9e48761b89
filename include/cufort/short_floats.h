//===- short_floats.h - what half precision and bfloat16 can do -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators and functions of a type of 16 bits, __CUFORT_SHORT, and of two of
// them, __CUFORT_PAIR. cuda_fp16.h and cuda_bf16.h define both names, include
// this, and undefine them.
//
//===----------------------------------------------------------------------===//

//===--- operators ---===//

#define __CUFORT_OPERATOR(op)                                                  \
  __CUFORT_INLINE __CUFORT_SHORT operator op(const __CUFORT_SHORT &a,          \
                                             const __CUFORT_SHORT &b) {        \
    return __CUFORT_SHORT((float)a op(float) b);                               \
  }                                                                            \
  __CUFORT_INLINE __CUFORT_SHORT &operator op## =                              \
      (__CUFORT_SHORT & a, const __CUFORT_SHORT &b) {                          \
    return a = a op b;                                                         \
  }
__CUFORT_OPERATOR(+)
__CUFORT_OPERATOR(-)
__CUFORT_OPERATOR(*)
__CUFORT_OPERATOR(/)
#undef __CUFORT_OPERATOR
#define __CUFORT_OPERATOR(op)                                                  \
  __CUFORT_INLINE bool operator op(const __CUFORT_SHORT &a,                    \
                                   const __CUFORT_SHORT &b) {                  \
    return (float)a op(float) b;                                               \
  }
__CUFORT_OPERATOR(==)
__CUFORT_OPERATOR(!=)
__CUFORT_OPERATOR(<)
__CUFORT_OPERATOR(<=)
__CUFORT_OPERATOR(>)
__CUFORT_OPERATOR(>=)
#undef __CUFORT_OPERATOR
__CUFORT_INLINE __CUFORT_SHORT operator-(const __CUFORT_SHORT &a) {
  return __CUFORT_SHORT::fromBits(a.bits() ^ 0x8000);
}
__CUFORT_INLINE __CUFORT_SHORT operator+(const __CUFORT_SHORT &a) { return a; }
__CUFORT_INLINE __CUFORT_SHORT &operator++(__CUFORT_SHORT &a) {
  return a += __CUFORT_SHORT(1.0f);
}
__CUFORT_INLINE __CUFORT_SHORT &operator--(__CUFORT_SHORT &a) {
  return a -= __CUFORT_SHORT(1.0f);
}

//===--- arithmetic and comparisons, of one and of two ---===//

#define __CUFORT_ARITHMETIC(name, op)                                          \
  __CUFORT_INLINE __CUFORT_SHORT name(__CUFORT_SHORT a, __CUFORT_SHORT b) {    \
    return a op b;                                                             \
  }                                                                            \
  __CUFORT_INLINE __CUFORT_SHORT name##_rn(__CUFORT_SHORT a,                   \
                                           __CUFORT_SHORT b) {                 \
    return a op b;                                                             \
  }                                                                            \
  __CUFORT_INLINE __CUFORT_PAIR name##2(__CUFORT_PAIR a, __CUFORT_PAIR b) {    \
    return __CUFORT_PAIR(a.x op b.x, a.y op b.y);                              \
  }                                                                            \
  __CUFORT_INLINE __CUFORT_PAIR name##2_rn(__CUFORT_PAIR a, __CUFORT_PAIR b) { \
    return name##2(a, b);                                                      \
  }                                                                            \
  __CUFORT_INLINE __CUFORT_PAIR operator op(__CUFORT_PAIR a,                   \
                                            __CUFORT_PAIR b) {                 \
    return name##2(a, b);                                                      \
  }                                                                            \
  __CUFORT_INLINE __CUFORT_PAIR &operator op## =                               \
      (__CUFORT_PAIR & a, __CUFORT_PAIR b) {                                   \
    return a = name##2(a, b);                                                  \
  }
__CUFORT_ARITHMETIC(__hadd, +)
__CUFORT_ARITHMETIC(__hsub, -)
__CUFORT_ARITHMETIC(__hmul, *)
#undef __CUFORT_ARITHMETIC
__CUFORT_INLINE __CUFORT_SHORT __hdiv(__CUFORT_SHORT a, __CUFORT_SHORT b) {
  return a / b;
}
__CUFORT_INLINE __CUFORT_PAIR __h2div(__CUFORT_PAIR a, __CUFORT_PAIR b) {
  return __CUFORT_PAIR(a.x / b.x, a.y / b.y);
}
__CUFORT_INLINE __CUFORT_PAIR operator/(__CUFORT_PAIR a, __CUFORT_PAIR b) {
  return __h2div(a, b);
}
__CUFORT_INLINE __CUFORT_PAIR operator-(__CUFORT_PAIR a) {
  return __CUFORT_PAIR(-a.x, -a.y);
}
__CUFORT_INLINE __CUFORT_SHORT __hneg(__CUFORT_SHORT a) { return -a; }
__CUFORT_INLINE __CUFORT_PAIR __hneg2(__CUFORT_PAIR a) { return -a; }
__CUFORT_INLINE __CUFORT_SHORT __habs(__CUFORT_SHORT a) {
  return __CUFORT_SHORT::fromBits(a.bits() & 0x7fff);
}
__CUFORT_INLINE __CUFORT_PAIR __habs2(__CUFORT_PAIR a) {
  return __CUFORT_PAIR(__habs(a.x), __habs(a.y));
}
// Exact product and sum in double precision, rounded once.
__CUFORT_INLINE __CUFORT_SHORT __hfma(__CUFORT_SHORT a, __CUFORT_SHORT b,
                                      __CUFORT_SHORT c) {
  return __CUFORT_SHORT::fused((float)a, (float)b, (float)c);
}
__CUFORT_INLINE __CUFORT_PAIR __hfma2(__CUFORT_PAIR a, __CUFORT_PAIR b,
                                      __CUFORT_PAIR c) {
  return __CUFORT_PAIR(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
__CUFORT_INLINE bool __hisnan(__CUFORT_SHORT a) {
  return __builtin_isnan((float)a);
}
__CUFORT_INLINE int __hisinf(__CUFORT_SHORT a) {
  float f = (float)a;
  return __builtin_isinf(f) ? (f < 0 ? -1 : 1) : 0;
}
__CUFORT_INLINE __CUFORT_SHORT __hmax(__CUFORT_SHORT a, __CUFORT_SHORT b) {
  return __CUFORT_SHORT(__builtin_fmaxf((float)a, (float)b));
}
__CUFORT_INLINE __CUFORT_SHORT __hmin(__CUFORT_SHORT a, __CUFORT_SHORT b) {
  return __CUFORT_SHORT(__builtin_fminf((float)a, (float)b));
}
__CUFORT_INLINE __CUFORT_PAIR __hmax2(__CUFORT_PAIR a, __CUFORT_PAIR b) {
  return __CUFORT_PAIR(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
__CUFORT_INLINE __CUFORT_PAIR __hmin2(__CUFORT_PAIR a, __CUFORT_PAIR b) {
  return __CUFORT_PAIR(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
// Comparisons with a u at the end are true if a number is NaN, the others
// false.
#define __CUFORT_COMPARE(name, condition)                                      \
  __CUFORT_INLINE bool __h##name(__CUFORT_SHORT a, __CUFORT_SHORT b) {         \
    const float x = (float)a, y = (float)b;                                    \
    return condition;                                                          \
  }                                                                            \
  __CUFORT_INLINE __CUFORT_PAIR __h##name##2(__CUFORT_PAIR a,                  \
                                             __CUFORT_PAIR b) {                \
    return __CUFORT_PAIR(__CUFORT_SHORT((float)__h##name(a.x, b.x)),           \
                         __CUFORT_SHORT((float)__h##name(a.y, b.y)));          \
  }                                                                            \
  __CUFORT_INLINE unsigned int __h##name##2_mask(__CUFORT_PAIR a,              \
                                                 __CUFORT_PAIR b) {            \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) |                              \
           (__h##name(a.y, b.y) ? 0xffff0000u : 0u);                           \
  }                                                                            \
  __CUFORT_INLINE bool __hb##name##2(__CUFORT_PAIR a, __CUFORT_PAIR b) {       \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                         \
  }
__CUFORT_COMPARE(eq, x == y)
__CUFORT_COMPARE(ne, x<y || x> y)
__CUFORT_COMPARE(lt, x < y)
__CUFORT_COMPARE(le, x <= y)
__CUFORT_COMPARE(gt, x > y)
__CUFORT_COMPARE(ge, x >= y)
__CUFORT_COMPARE(equ, !(x < y || x > y))
__CUFORT_COMPARE(neu, x != y)
__CUFORT_COMPARE(ltu, !(x >= y))
__CUFORT_COMPARE(leu, !(x > y))
__CUFORT_COMPARE(gtu, !(x <= y))
__CUFORT_COMPARE(geu, !(x < y))
#undef __CUFORT_COMPARE

#include "cufort/short_limits.h"

//===--- what only the device has ---===//

#if defined(__CUDA__)
#define __CUFORT_FUNCTION(name, f)                                             \
  static __device__ __forceinline__ __CUFORT_SHORT h##name(__CUFORT_SHORT a) { \
    return __CUFORT_SHORT(f((float)a));                                        \
  }                                                                            \
  static __device__ __forceinline__ __CUFORT_PAIR h2##name(__CUFORT_PAIR a) {  \
    return __CUFORT_PAIR(h##name(a.x), h##name(a.y));                          \
  }
__CUFORT_FUNCTION(sqrt, ::sqrtf)
__CUFORT_FUNCTION(rsqrt, ::rsqrtf)
__CUFORT_FUNCTION(rcp, 1.0f /)
__CUFORT_FUNCTION(exp, ::expf)
__CUFORT_FUNCTION(exp2, ::exp2f)
__CUFORT_FUNCTION(exp10, ::exp10f)
__CUFORT_FUNCTION(log, ::logf)
__CUFORT_FUNCTION(log2, ::log2f)
__CUFORT_FUNCTION(log10, ::log10f)
__CUFORT_FUNCTION(sin, ::sinf)
__CUFORT_FUNCTION(cos, ::cosf)
__CUFORT_FUNCTION(tanh, ::tanhf)
__CUFORT_FUNCTION(floor, ::floorf)
__CUFORT_FUNCTION(ceil, ::ceilf)
__CUFORT_FUNCTION(trunc, ::truncf)
__CUFORT_FUNCTION(rint, ::rintf)
#undef __CUFORT_FUNCTION

#define __CUFORT_SHUFFLE(how, L)                                               \
  static __device__ __forceinline__ __CUFORT_SHORT __shfl##how##_sync(         \
      unsigned int mask, __CUFORT_SHORT value, L lane, int width = warpSize) { \
    return __CUFORT_SHORT::fromBits((unsigned short)__shfl##how##_sync(        \
        mask, (unsigned int)value.bits(), lane, width));                       \
  }                                                                            \
  static __device__ __forceinline__ __CUFORT_PAIR __shfl##how##_sync(          \
      unsigned int mask, __CUFORT_PAIR value, L lane, int width = warpSize) {  \
    return __builtin_bit_cast(                                                 \
        __CUFORT_PAIR,                                                         \
        __shfl##how##_sync(mask, __builtin_bit_cast(unsigned int, value),      \
                           lane, width));                                      \
  }
__CUFORT_SHUFFLE(, int)
__CUFORT_SHUFFLE(_up, unsigned int)
__CUFORT_SHUFFLE(_down, unsigned int)
__CUFORT_SHUFFLE(_xor, int)
#undef __CUFORT_SHUFFLE

#define __CUFORT_ADD(suffix)                                                   \
  static __device__ __forceinline__ __CUFORT_PAIR atomicAdd##suffix(           \
      __CUFORT_PAIR *p, __CUFORT_PAIR value) {                                 \
    unsigned int *word = (unsigned int *)p;                                    \
    unsigned int old = *word, seen;                                            \
    do {                                                                       \
      seen = old;                                                              \
      __CUFORT_PAIR sum = __builtin_bit_cast(__CUFORT_PAIR, seen) + value;     \
      old = atomicCAS##suffix(word, seen,                                      \
                              __builtin_bit_cast(unsigned int, sum));          \
    } while (old != seen);                                                     \
    return __builtin_bit_cast(__CUFORT_PAIR, old);                             \
  }                                                                            \
  static __device__ __forceinline__ __CUFORT_SHORT atomicAdd##suffix(          \
      __CUFORT_SHORT *p, __CUFORT_SHORT value) {                               \
    unsigned short *half = (unsigned short *)p;                                \
    unsigned short old = *half, seen;                                          \
    do {                                                                       \
      seen = old;                                                              \
      old = atomicCAS##suffix(                                                 \
          half, seen, (__CUFORT_SHORT::fromBits(seen) + value).bits());        \
    } while (old != seen);                                                     \
    return __CUFORT_SHORT::fromBits(old);                                      \
  }
__CUFORT_ADD()
__CUFORT_ADD(_block)
__CUFORT_ADD(_system)
#undef __CUFORT_ADD
static __device__
    __forceinline__ __CUFORT_SHORT __ldg(const __CUFORT_SHORT *p) {
  return __CUFORT_SHORT::fromBits(__ldg((const unsigned short *)p));
}
static __device__ __forceinline__ __CUFORT_PAIR __ldg(const __CUFORT_PAIR *p) {
  return __builtin_bit_cast(__CUFORT_PAIR, __ldg((const unsigned int *)p));
}
__CUFORT_ALL_HINTS(__CUFORT_SHORT)
__CUFORT_ALL_HINTS(__CUFORT_PAIR)
#endif // __CUDA__
