//===- cuda_fp16.h - half precision ------------------------------------*- C++
//-*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include "cuda_runtime.h"

#if !defined(__cplusplus)
#error "cuda_fp16.h is for C++"
#endif

#define __CUFORT_BOTH __host__ __device__ __forceinline__
#define __CUFORT_INLINE static __host__ __device__ __forceinline__

/// The bits of a __half, and of two.
struct __attribute__((aligned(2))) __half_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
  unsigned short x, y;
};

/// A number of IEEE's half precision. Sums, products and quotients are made in
/// single precision and rounded, which gives what half precision would.
struct __attribute__((aligned(2))) __half {
  __half() = default;
  __CUFORT_BOTH __half(float a) : value(toFormat(a)) {}
  __CUFORT_BOTH __half(double a) : value(toFormat((float)a)) {}
  __CUFORT_BOTH __half(int a) : value(toFormat((float)a)) {}
  __CUFORT_BOTH __half(unsigned int a) : value(toFormat((float)a)) {}
  __CUFORT_BOTH __half(short a) : value(toFormat((float)a)) {}
  __CUFORT_BOTH __half(unsigned short a) : value(toFormat((float)a)) {}
  __CUFORT_BOTH __half(long long a) : value(toFormat((float)a)) {}
  __CUFORT_BOTH __half(unsigned long long a) : value(toFormat((float)a)) {}
  __CUFORT_BOTH __half(const __half_raw &a) : value(fromBits(a.x).value) {}
  __CUFORT_BOTH operator float() const { return toFloat(value); }
  __CUFORT_BOTH operator __half_raw() const { return {bits()}; }
  __CUFORT_BOTH unsigned short bits() const {
    return __builtin_bit_cast(unsigned short, value);
  }
  static __CUFORT_BOTH __half fromBits(unsigned short bits) {
    __half result;
    result.value = __builtin_bit_cast(Format, bits);
    return result;
  }
  static __CUFORT_BOTH __half fused(float a, float b, float c) {
    return fromBits(__builtin_bit_cast(
        unsigned short, __builtin_fmaf16((Format)a, (Format)b, (Format)c)));
  }

private:
  typedef _Float16 Format;
  static __CUFORT_BOTH Format toFormat(float a) { return (Format)a; }
  static __CUFORT_BOTH float toFloat(Format a) { return (float)a; }
  Format value;
};

#define __CUFORT_OPERATOR(op)                                                  \
  __CUFORT_INLINE __half operator op(const __half &a, const __half &b) {       \
    return __half((float)a op(float) b);                                       \
  }                                                                            \
  __CUFORT_INLINE __half &operator op## = (__half & a, const __half &b) {      \
    return a = a op b;                                                         \
  }
__CUFORT_OPERATOR(+)
__CUFORT_OPERATOR(-)
__CUFORT_OPERATOR(*)
__CUFORT_OPERATOR(/)
#undef __CUFORT_OPERATOR
#define __CUFORT_OPERATOR(op)                                                  \
  __CUFORT_INLINE bool operator op(const __half &a, const __half &b) {         \
    return (float)a op(float) b;                                               \
  }
__CUFORT_OPERATOR(==)
__CUFORT_OPERATOR(!=)
__CUFORT_OPERATOR(<)
__CUFORT_OPERATOR(<=)
__CUFORT_OPERATOR(>)
__CUFORT_OPERATOR(>=)
#undef __CUFORT_OPERATOR
__CUFORT_INLINE __half operator-(const __half &a) {
  return __half::fromBits(a.bits() ^ 0x8000);
}
__CUFORT_INLINE __half operator+(const __half &a) { return a; }
__CUFORT_INLINE __half &operator++(__half &a) { return a += __half(1.0f); }
__CUFORT_INLINE __half &operator--(__half &a) { return a -= __half(1.0f); }

// Two of them.
struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  __CUFORT_BOTH __half2(const __half &x, const __half &y) : x(x), y(y) {}
  __CUFORT_BOTH __half2(const __half2_raw &a)
      : x(__half::fromBits(a.x)), y(__half::fromBits(a.y)) {}
  __CUFORT_BOTH operator __half2_raw() const { return {x.bits(), y.bits()}; }
};

//===--- conversions ---===//

__CUFORT_INLINE __half __float2half(float a) { return __half(a); }
__CUFORT_INLINE __half __float2half_rn(float a) { return __half(a); }
__CUFORT_INLINE __half __double2half(double a) { return __half((float)a); }
__CUFORT_INLINE float __half2float(__half a) { return (float)a; }
__CUFORT_INLINE __half2 __floats2half2_rn(float a, float b) {
  return __half2(__half(a), __half(b));
}
__CUFORT_INLINE __half2 __float2half2_rn(float a) {
  return __half2(__half(a), __half(a));
}
__CUFORT_INLINE __half2 __float22half2_rn(float2 a) {
  return __half2(__half(a.x), __half(a.y));
}
__CUFORT_INLINE float2 __half22float2(__half2 a) {
  return make_float2((float)a.x, (float)a.y);
}
__CUFORT_INLINE float __low2float(__half2 a) { return (float)a.x; }
__CUFORT_INLINE float __high2float(__half2 a) { return (float)a.y; }
__CUFORT_INLINE __half __low2half(__half2 a) { return a.x; }
__CUFORT_INLINE __half __high2half(__half2 a) { return a.y; }
__CUFORT_INLINE __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
__CUFORT_INLINE __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
__CUFORT_INLINE __half2 __half2half2(__half a) { return __half2(a, a); }
__CUFORT_INLINE __half2 __lowhigh2highlow(__half2 a) {
  return __half2(a.y, a.x);
}
__CUFORT_INLINE __half2 __lows2half2(__half2 a, __half2 b) {
  return __half2(a.x, b.x);
}
__CUFORT_INLINE __half2 __highs2half2(__half2 a, __half2 b) {
  return __half2(a.y, b.y);
}
__CUFORT_INLINE __half2 make_half2(__half a, __half b) { return __half2(a, b); }
__CUFORT_INLINE unsigned short __half_as_ushort(__half a) { return a.bits(); }
__CUFORT_INLINE short __half_as_short(__half a) { return (short)a.bits(); }
__CUFORT_INLINE __half __ushort_as_half(unsigned short a) {
  return __half::fromBits(a);
}
__CUFORT_INLINE __half __short_as_half(short a) {
  return __half::fromBits((unsigned short)a);
}
#define __CUFORT_FROM(name, T)                                                 \
  __CUFORT_INLINE __half __##name##2half_rn(T a) { return __half((float)a); }  \
  __CUFORT_INLINE T __half2##name##_rz(__half a) { return (T)(float)a; }       \
  __CUFORT_INLINE T __half2##name##_rn(__half a) {                             \
    return (T)__builtin_rintf((float)a);                                       \
  }                                                                            \
  __CUFORT_INLINE T __half2##name##_rd(__half a) {                             \
    return (T)__builtin_floorf((float)a);                                      \
  }                                                                            \
  __CUFORT_INLINE T __half2##name##_ru(__half a) {                             \
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
  __CUFORT_INLINE __half name(__half a, __half b) { return a op b; }           \
  __CUFORT_INLINE __half name##_rn(__half a, __half b) { return a op b; }      \
  __CUFORT_INLINE __half2 name##2(__half2 a, __half2 b) {                      \
    return __half2(a.x op b.x, a.y op b.y);                                    \
  }                                                                            \
  __CUFORT_INLINE __half2 name##2_rn(__half2 a, __half2 b) {                   \
    return name##2(a, b);                                                      \
  }                                                                            \
  __CUFORT_INLINE __half2 operator op(__half2 a, __half2 b) {                  \
    return name##2(a, b);                                                      \
  }                                                                            \
  __CUFORT_INLINE __half2 &operator op## = (__half2 & a, __half2 b) {          \
    return a = name##2(a, b);                                                  \
  }
__CUFORT_ARITHMETIC(__hadd, +)
__CUFORT_ARITHMETIC(__hsub, -)
__CUFORT_ARITHMETIC(__hmul, *)
#undef __CUFORT_ARITHMETIC
__CUFORT_INLINE __half __hdiv(__half a, __half b) { return a / b; }
__CUFORT_INLINE __half2 __h2div(__half2 a, __half2 b) {
  return __half2(a.x / b.x, a.y / b.y);
}
__CUFORT_INLINE __half2 operator/(__half2 a, __half2 b) {
  return __h2div(a, b);
}
__CUFORT_INLINE __half2 operator-(__half2 a) { return __half2(-a.x, -a.y); }
__CUFORT_INLINE __half __hneg(__half a) { return -a; }
__CUFORT_INLINE __half2 __hneg2(__half2 a) { return -a; }
__CUFORT_INLINE __half __habs(__half a) {
  return __half::fromBits(a.bits() & 0x7fff);
}
__CUFORT_INLINE __half2 __habs2(__half2 a) {
  return __half2(__habs(a.x), __habs(a.y));
}
// Exact product and sum in double precision, rounded once.
__CUFORT_INLINE __half __hfma(__half a, __half b, __half c) {
  return __half::fused((float)a, (float)b, (float)c);
}
__CUFORT_INLINE __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
__CUFORT_INLINE bool __hisnan(__half a) { return __builtin_isnan((float)a); }
__CUFORT_INLINE int __hisinf(__half a) {
  float f = (float)a;
  return __builtin_isinf(f) ? (f < 0 ? -1 : 1) : 0;
}
__CUFORT_INLINE __half __hmax(__half a, __half b) {
  return __half(__builtin_fmaxf((float)a, (float)b));
}
__CUFORT_INLINE __half __hmin(__half a, __half b) {
  return __half(__builtin_fminf((float)a, (float)b));
}
__CUFORT_INLINE __half2 __hmax2(__half2 a, __half2 b) {
  return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
__CUFORT_INLINE __half2 __hmin2(__half2 a, __half2 b) {
  return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
__CUFORT_INLINE __half __hadd_sat(__half a, __half b) {
  return __half(__builtin_fminf(__builtin_fmaxf((float)(a + b), 0.0f), 1.0f));
}
__CUFORT_INLINE __half __hmul_sat(__half a, __half b) {
  return __half(__builtin_fminf(__builtin_fmaxf((float)(a * b), 0.0f), 1.0f));
}
#define __CUFORT_COMPARE(name, op)                                             \
  __CUFORT_INLINE bool __h##name(__half a, __half b) {                         \
    return (float)a op(float) b;                                               \
  }                                                                            \
  __CUFORT_INLINE __half2 __h##name##2(__half2 a, __half2 b) {                 \
    return __half2(__half((float)(a.x op b.x)), __half((float)(a.y op b.y)));  \
  }                                                                            \
  __CUFORT_INLINE bool __hb##name##2(__half2 a, __half2 b) {                   \
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
  static __device__ __forceinline__ __half h##name(__half a) {                 \
    return __half(f((float)a));                                                \
  }                                                                            \
  static __device__ __forceinline__ __half2 h2##name(__half2 a) {              \
    return __half2(h##name(a.x), h##name(a.y));                                \
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
  static __device__ __forceinline__ __half __shfl##how##_sync(                 \
      unsigned int mask, __half value, L lane, int width = warpSize) {         \
    return __half::fromBits((unsigned short)__shfl##how##_sync(                \
        mask, (unsigned int)value.bits(), lane, width));                       \
  }                                                                            \
  static __device__ __forceinline__ __half2 __shfl##how##_sync(                \
      unsigned int mask, __half2 value, L lane, int width = warpSize) {        \
    return __builtin_bit_cast(                                                 \
        __half2,                                                               \
        __shfl##how##_sync(mask, __builtin_bit_cast(unsigned int, value),      \
                           lane, width));                                      \
  }
__CUFORT_SHUFFLE(, int)
__CUFORT_SHUFFLE(_up, unsigned int)
__CUFORT_SHUFFLE(_down, unsigned int)
__CUFORT_SHUFFLE(_xor, int)
#undef __CUFORT_SHUFFLE

#define __CUFORT_ADD(suffix)                                                   \
  static __device__ __forceinline__ __half2 atomicAdd##suffix(__half2 *p,      \
                                                              __half2 value) { \
    unsigned int *word = (unsigned int *)p;                                    \
    unsigned int old = *word, seen;                                            \
    do {                                                                       \
      seen = old;                                                              \
      __half2 sum = __builtin_bit_cast(__half2, seen) + value;                 \
      old = atomicCAS##suffix(word, seen,                                      \
                              __builtin_bit_cast(unsigned int, sum));          \
    } while (old != seen);                                                     \
    return __builtin_bit_cast(__half2, old);                                   \
  }                                                                            \
  static __device__ __forceinline__ __half atomicAdd##suffix(__half *p,        \
                                                             __half value) {   \
    unsigned short *half = (unsigned short *)p;                                \
    unsigned short old = *half, seen;                                          \
    do {                                                                       \
      seen = old;                                                              \
      old = atomicCAS##suffix(half, seen,                                      \
                              (__half::fromBits(seen) + value).bits());        \
    } while (old != seen);                                                     \
    return __half::fromBits(old);                                              \
  }
__CUFORT_ADD()
__CUFORT_ADD(_block)
__CUFORT_ADD(_system)
#undef __CUFORT_ADD
static __device__ __forceinline__ __half __ldg(const __half *p) {
  return __half::fromBits(__ldg((const unsigned short *)p));
}
static __device__ __forceinline__ __half2 __ldg(const __half2 *p) {
  return __builtin_bit_cast(__half2, __ldg((const unsigned int *)p));
}
#endif // __CUDA__

#undef __CUFORT_BOTH
#undef __CUFORT_INLINE

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
static __host__ __device__ __forceinline__ __half2 __halves2half2(__half a,
                                                                  __half b) {
  return __half2(a, b);
}

#endif // __CUDA_FP16_H__
