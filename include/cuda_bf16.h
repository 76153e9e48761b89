//===- cuda_bf16.h - bfloat16 ------------------------------------------*- C++
//-*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include "cuda_runtime.h"

#if !defined(__cplusplus)
#error "cuda_bf16.h is for C++"
#endif

#define __CUFORT_BOTH __host__ __device__ __forceinline__
#define __CUFORT_INLINE static __host__ __device__ __forceinline__

/// The bits of a __nv_bfloat16, and of two.
struct __attribute__((aligned(2))) __nv_bfloat16_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __nv_bfloat162_raw {
  unsigned short x, y;
};

/// A number with the range of single precision and a fraction of 7 bits. Sums,
/// products and quotients are made in single precision and rounded.
struct __attribute__((aligned(2))) __nv_bfloat16 {
  __nv_bfloat16() = default;
  __CUFORT_BOTH __nv_bfloat16(float a) : value(toFormat(a)) {}
  __CUFORT_BOTH __nv_bfloat16(double a) : value(toFormat((float)a)) {}
  __CUFORT_BOTH __nv_bfloat16(int a) : value(toFormat((float)a)) {}
  __CUFORT_BOTH __nv_bfloat16(unsigned int a) : value(toFormat((float)a)) {}
  __CUFORT_BOTH __nv_bfloat16(short a) : value(toFormat((float)a)) {}
  __CUFORT_BOTH __nv_bfloat16(unsigned short a) : value(toFormat((float)a)) {}
  __CUFORT_BOTH __nv_bfloat16(long long a) : value(toFormat((float)a)) {}
  __CUFORT_BOTH __nv_bfloat16(unsigned long long a)
      : value(toFormat((float)a)) {}
  __CUFORT_BOTH __nv_bfloat16(const __nv_bfloat16_raw &a)
      : value(fromBits(a.x).value) {}
  __CUFORT_BOTH operator float() const { return toFloat(value); }
  __CUFORT_BOTH operator __nv_bfloat16_raw() const { return {bits()}; }
  __CUFORT_BOTH unsigned short bits() const {
    return __builtin_bit_cast(unsigned short, value);
  }
  static __CUFORT_BOTH __nv_bfloat16 fromBits(unsigned short bits) {
    __nv_bfloat16 result;
    result.value = __builtin_bit_cast(Format, bits);
    return result;
  }
  static __CUFORT_BOTH __nv_bfloat16 fused(float a, float b, float c) {
    // The product is exact in single precision; its sum, in double precision,
    // is near enough to the format's 8 bits that the second rounding decides.
    return __nv_bfloat16((float)((double)a * b + c));
  }

private:
  typedef unsigned short Format;
  static __CUFORT_BOTH Format toFormat(float a) {
    unsigned int bits = __builtin_bit_cast(unsigned int, a);
    if ((bits & 0x7fffffff) > 0x7f800000)
      return 0x7fff;
    return (Format)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
  static __CUFORT_BOTH float toFloat(Format a) {
    return __builtin_bit_cast(float, (unsigned int)a << 16);
  }
  Format value;
};

#define __CUFORT_OPERATOR(op)                                                  \
  __CUFORT_INLINE __nv_bfloat16 operator op(const __nv_bfloat16 &a,            \
                                            const __nv_bfloat16 &b) {          \
    return __nv_bfloat16((float)a op(float) b);                                \
  }                                                                            \
  __CUFORT_INLINE __nv_bfloat16 &operator op## =                               \
      (__nv_bfloat16 & a, const __nv_bfloat16 &b) {                            \
    return a = a op b;                                                         \
  }
__CUFORT_OPERATOR(+)
__CUFORT_OPERATOR(-)
__CUFORT_OPERATOR(*)
__CUFORT_OPERATOR(/)
#undef __CUFORT_OPERATOR
#define __CUFORT_OPERATOR(op)                                                  \
  __CUFORT_INLINE bool operator op(const __nv_bfloat16 &a,                     \
                                   const __nv_bfloat16 &b) {                   \
    return (float)a op(float) b;                                               \
  }
__CUFORT_OPERATOR(==)
__CUFORT_OPERATOR(!=)
__CUFORT_OPERATOR(<)
__CUFORT_OPERATOR(<=)
__CUFORT_OPERATOR(>)
__CUFORT_OPERATOR(>=)
#undef __CUFORT_OPERATOR
__CUFORT_INLINE __nv_bfloat16 operator-(const __nv_bfloat16 &a) {
  return __nv_bfloat16::fromBits(a.bits() ^ 0x8000);
}
__CUFORT_INLINE __nv_bfloat16 operator+(const __nv_bfloat16 &a) { return a; }
__CUFORT_INLINE __nv_bfloat16 &operator++(__nv_bfloat16 &a) {
  return a += __nv_bfloat16(1.0f);
}
__CUFORT_INLINE __nv_bfloat16 &operator--(__nv_bfloat16 &a) {
  return a -= __nv_bfloat16(1.0f);
}

// Two of them.
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __CUFORT_BOTH __nv_bfloat162(const __nv_bfloat16 &x, const __nv_bfloat16 &y)
      : x(x), y(y) {}
  __CUFORT_BOTH __nv_bfloat162(const __nv_bfloat162_raw &a)
      : x(__nv_bfloat16::fromBits(a.x)), y(__nv_bfloat16::fromBits(a.y)) {}
  __CUFORT_BOTH operator __nv_bfloat162_raw() const {
    return {x.bits(), y.bits()};
  }
};

//===--- conversions ---===//

__CUFORT_INLINE __nv_bfloat16 __float2bfloat16(float a) {
  return __nv_bfloat16(a);
}
__CUFORT_INLINE __nv_bfloat16 __float2bfloat16_rn(float a) {
  return __nv_bfloat16(a);
}
__CUFORT_INLINE __nv_bfloat16 __double2bfloat16(double a) {
  return __nv_bfloat16((float)a);
}
__CUFORT_INLINE float __bfloat162float(__nv_bfloat16 a) { return (float)a; }
__CUFORT_INLINE __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
__CUFORT_INLINE __nv_bfloat162 __float2bfloat162_rn(float a) {
  return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(a));
}
__CUFORT_INLINE __nv_bfloat162 __float22bfloat162_rn(float2 a) {
  return __nv_bfloat162(__nv_bfloat16(a.x), __nv_bfloat16(a.y));
}
__CUFORT_INLINE float2 __bfloat1622float2(__nv_bfloat162 a) {
  return make_float2((float)a.x, (float)a.y);
}
__CUFORT_INLINE float __low2float(__nv_bfloat162 a) { return (float)a.x; }
__CUFORT_INLINE float __high2float(__nv_bfloat162 a) { return (float)a.y; }
__CUFORT_INLINE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
__CUFORT_INLINE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
__CUFORT_INLINE __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) {
  return __nv_bfloat162(a.x, a.x);
}
__CUFORT_INLINE __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) {
  return __nv_bfloat162(a.y, a.y);
}
__CUFORT_INLINE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) {
  return __nv_bfloat162(a, a);
}
__CUFORT_INLINE __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) {
  return __nv_bfloat162(a.y, a.x);
}
__CUFORT_INLINE __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a,
                                                __nv_bfloat162 b) {
  return __nv_bfloat162(a.x, b.x);
}
__CUFORT_INLINE __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a,
                                                 __nv_bfloat162 b) {
  return __nv_bfloat162(a.y, b.y);
}
__CUFORT_INLINE __nv_bfloat162 make_bfloat162(__nv_bfloat16 a,
                                              __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
__CUFORT_INLINE unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) {
  return a.bits();
}
__CUFORT_INLINE short __bfloat16_as_short(__nv_bfloat16 a) {
  return (short)a.bits();
}
__CUFORT_INLINE __nv_bfloat16 __ushort_as_bfloat16(unsigned short a) {
  return __nv_bfloat16::fromBits(a);
}
__CUFORT_INLINE __nv_bfloat16 __short_as_bfloat16(short a) {
  return __nv_bfloat16::fromBits((unsigned short)a);
}
#define __CUFORT_FROM(name, T)                                                 \
  __CUFORT_INLINE __nv_bfloat16 __##name##2bfloat16_rn(T a) {                  \
    return __nv_bfloat16((float)a);                                            \
  }                                                                            \
  __CUFORT_INLINE T __bfloat162##name##_rz(__nv_bfloat16 a) {                  \
    return (T)(float)a;                                                        \
  }                                                                            \
  __CUFORT_INLINE T __bfloat162##name##_rn(__nv_bfloat16 a) {                  \
    return (T)__builtin_rintf((float)a);                                       \
  }                                                                            \
  __CUFORT_INLINE T __bfloat162##name##_rd(__nv_bfloat16 a) {                  \
    return (T)__builtin_floorf((float)a);                                      \
  }                                                                            \
  __CUFORT_INLINE T __bfloat162##name##_ru(__nv_bfloat16 a) {                  \
    return (T)__builtin_ceilf((float)a);                                       \
  }
__CUFORT_FROM(int, int)
__CUFORT_FROM(uint, unsigned int)
__CUFORT_FROM(short, short)
__CUFORT_FROM(ushort, unsigned short)
__CUFORT_FROM(ll, long long)
__CUFORT_FROM(ull, unsigned long long)
#undef __CUFORT_FROM

//===--- arithmetic and comparisons, of one and of two ---===//

#define __CUFORT_ARITHMETIC(name, op)                                          \
  __CUFORT_INLINE __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {       \
    return a op b;                                                             \
  }                                                                            \
  __CUFORT_INLINE __nv_bfloat16 name##_rn(__nv_bfloat16 a, __nv_bfloat16 b) {  \
    return a op b;                                                             \
  }                                                                            \
  __CUFORT_INLINE __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b) { \
    return __nv_bfloat162(a.x op b.x, a.y op b.y);                             \
  }                                                                            \
  __CUFORT_INLINE __nv_bfloat162 name##2_rn(__nv_bfloat162 a,                  \
                                            __nv_bfloat162 b) {                \
    return name##2(a, b);                                                      \
  }                                                                            \
  __CUFORT_INLINE __nv_bfloat162 operator op(__nv_bfloat162 a,                 \
                                             __nv_bfloat162 b) {               \
    return name##2(a, b);                                                      \
  }                                                                            \
  __CUFORT_INLINE __nv_bfloat162 &operator op## =                              \
      (__nv_bfloat162 & a, __nv_bfloat162 b) {                                 \
    return a = name##2(a, b);                                                  \
  }
__CUFORT_ARITHMETIC(__hadd, +)
__CUFORT_ARITHMETIC(__hsub, -)
__CUFORT_ARITHMETIC(__hmul, *)
#undef __CUFORT_ARITHMETIC
__CUFORT_INLINE __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) {
  return a / b;
}
__CUFORT_INLINE __nv_bfloat162 __h2div(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __nv_bfloat162(a.x / b.x, a.y / b.y);
}
__CUFORT_INLINE __nv_bfloat162 operator/(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __h2div(a, b);
}
__CUFORT_INLINE __nv_bfloat162 operator-(__nv_bfloat162 a) {
  return __nv_bfloat162(-a.x, -a.y);
}
__CUFORT_INLINE __nv_bfloat16 __hneg(__nv_bfloat16 a) { return -a; }
__CUFORT_INLINE __nv_bfloat162 __hneg2(__nv_bfloat162 a) { return -a; }
__CUFORT_INLINE __nv_bfloat16 __habs(__nv_bfloat16 a) {
  return __nv_bfloat16::fromBits(a.bits() & 0x7fff);
}
__CUFORT_INLINE __nv_bfloat162 __habs2(__nv_bfloat162 a) {
  return __nv_bfloat162(__habs(a.x), __habs(a.y));
}
// Exact product and sum in double precision, rounded once.
__CUFORT_INLINE __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b,
                                     __nv_bfloat16 c) {
  return __nv_bfloat16::fused((float)a, (float)b, (float)c);
}
__CUFORT_INLINE __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b,
                                       __nv_bfloat162 c) {
  return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
__CUFORT_INLINE bool __hisnan(__nv_bfloat16 a) {
  return __builtin_isnan((float)a);
}
__CUFORT_INLINE int __hisinf(__nv_bfloat16 a) {
  float f = (float)a;
  return __builtin_isinf(f) ? (f < 0 ? -1 : 1) : 0;
}
__CUFORT_INLINE __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat16(__builtin_fmaxf((float)a, (float)b));
}
__CUFORT_INLINE __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat16(__builtin_fminf((float)a, (float)b));
}
__CUFORT_INLINE __nv_bfloat162 __hmax2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __nv_bfloat162(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
__CUFORT_INLINE __nv_bfloat162 __hmin2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __nv_bfloat162(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
__CUFORT_INLINE __nv_bfloat16 __hadd_sat(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat16(
      __builtin_fminf(__builtin_fmaxf((float)(a + b), 0.0f), 1.0f));
}
__CUFORT_INLINE __nv_bfloat16 __hmul_sat(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat16(
      __builtin_fminf(__builtin_fmaxf((float)(a * b), 0.0f), 1.0f));
}
#define __CUFORT_COMPARE(name, op)                                             \
  __CUFORT_INLINE bool __h##name(__nv_bfloat16 a, __nv_bfloat16 b) {           \
    return (float)a op(float) b;                                               \
  }                                                                            \
  __CUFORT_INLINE __nv_bfloat162 __h##name##2(__nv_bfloat162 a,                \
                                              __nv_bfloat162 b) {              \
    return __nv_bfloat162(__nv_bfloat16((float)(a.x op b.x)),                  \
                          __nv_bfloat16((float)(a.y op b.y)));                 \
  }                                                                            \
  __CUFORT_INLINE bool __hb##name##2(__nv_bfloat162 a, __nv_bfloat162 b) {     \
    return a.x op b.x && a.y op b.y;                                           \
  }
__CUFORT_COMPARE(eq, ==)
__CUFORT_COMPARE(ne, !=)
__CUFORT_COMPARE(lt, <)
__CUFORT_COMPARE(le, <=)
__CUFORT_COMPARE(gt, >)
__CUFORT_COMPARE(ge, >=)
#undef __CUFORT_COMPARE

//===--- what only the device has ---===//

#if defined(__CUDA__)
#define __CUFORT_FUNCTION(name, f)                                             \
  static __device__ __forceinline__ __nv_bfloat16 h##name(__nv_bfloat16 a) {   \
    return __nv_bfloat16(f((float)a));                                         \
  }                                                                            \
  static __device__ __forceinline__ __nv_bfloat162 h2##name(                   \
      __nv_bfloat162 a) {                                                      \
    return __nv_bfloat162(h##name(a.x), h##name(a.y));                         \
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
  static __device__ __forceinline__ __nv_bfloat16 __shfl##how##_sync(          \
      unsigned int mask, __nv_bfloat16 value, L lane, int width = warpSize) {  \
    return __nv_bfloat16::fromBits((unsigned short)__shfl##how##_sync(         \
        mask, (unsigned int)value.bits(), lane, width));                       \
  }                                                                            \
  static __device__ __forceinline__ __nv_bfloat162 __shfl##how##_sync(         \
      unsigned int mask, __nv_bfloat162 value, L lane, int width = warpSize) { \
    return __builtin_bit_cast(                                                 \
        __nv_bfloat162,                                                        \
        __shfl##how##_sync(mask, __builtin_bit_cast(unsigned int, value),      \
                           lane, width));                                      \
  }
__CUFORT_SHUFFLE(, int)
__CUFORT_SHUFFLE(_up, unsigned int)
__CUFORT_SHUFFLE(_down, unsigned int)
__CUFORT_SHUFFLE(_xor, int)
#undef __CUFORT_SHUFFLE

#define __CUFORT_ADD(suffix)                                                   \
  static __device__ __forceinline__ __nv_bfloat162 atomicAdd##suffix(          \
      __nv_bfloat162 *p, __nv_bfloat162 value) {                               \
    unsigned int *word = (unsigned int *)p;                                    \
    unsigned int old = *word, seen;                                            \
    do {                                                                       \
      seen = old;                                                              \
      __nv_bfloat162 sum = __builtin_bit_cast(__nv_bfloat162, seen) + value;   \
      old = atomicCAS##suffix(word, seen,                                      \
                              __builtin_bit_cast(unsigned int, sum));          \
    } while (old != seen);                                                     \
    return __builtin_bit_cast(__nv_bfloat162, old);                            \
  }                                                                            \
  static __device__ __forceinline__ __nv_bfloat16 atomicAdd##suffix(           \
      __nv_bfloat16 *p, __nv_bfloat16 value) {                                 \
    unsigned short *half = (unsigned short *)p;                                \
    unsigned short old = *half, seen;                                          \
    do {                                                                       \
      seen = old;                                                              \
      old = atomicCAS##suffix(half, seen,                                      \
                              (__nv_bfloat16::fromBits(seen) + value).bits()); \
    } while (old != seen);                                                     \
    return __nv_bfloat16::fromBits(old);                                       \
  }
__CUFORT_ADD()
__CUFORT_ADD(_block)
__CUFORT_ADD(_system)
#undef __CUFORT_ADD
static __device__ __forceinline__ __nv_bfloat16 __ldg(const __nv_bfloat16 *p) {
  return __nv_bfloat16::fromBits(__ldg((const unsigned short *)p));
}
static __device__ __forceinline__ __nv_bfloat162
__ldg(const __nv_bfloat162 *p) {
  return __builtin_bit_cast(__nv_bfloat162, __ldg((const unsigned int *)p));
}
#endif // __CUDA__

#undef __CUFORT_BOTH
#undef __CUFORT_INLINE

typedef __nv_bfloat162 nv_bfloat162;
typedef __nv_bfloat16 nv_bfloat16;
static __host__ __device__ __forceinline__ __nv_bfloat162
__halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}

#endif // __CUDA_BF16_H__
