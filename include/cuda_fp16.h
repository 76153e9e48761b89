//===- cuda_fp16.h - half precision -----------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include "cuda_runtime.h"

#if !defined(__cplusplus)
// C has only the type, which the headers of libraries need.
typedef struct __attribute__((aligned(2))) {
  unsigned short x;
} __half;
typedef struct __attribute__((aligned(4))) {
  unsigned short x, y;
} __half2;
typedef __half __half_raw;
typedef __half2 __half2_raw;
#else

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
  __CUFORT_BOTH __half(float a) : __x(toFormat(a)) {}
  __CUFORT_BOTH __half(double a) : __x(toFormat((float)a)) {}
  __CUFORT_BOTH __half(int a) : __x(toFormat((float)a)) {}
  __CUFORT_BOTH __half(unsigned int a) : __x(toFormat((float)a)) {}
  __CUFORT_BOTH __half(short a) : __x(toFormat((float)a)) {}
  __CUFORT_BOTH __half(unsigned short a) : __x(toFormat((float)a)) {}
  __CUFORT_BOTH __half(long a) : __x(toFormat((float)a)) {}
  __CUFORT_BOTH __half(unsigned long a) : __x(toFormat((float)a)) {}
  __CUFORT_BOTH __half(long long a) : __x(toFormat((float)a)) {}
  __CUFORT_BOTH __half(unsigned long long a) : __x(toFormat((float)a)) {}
  __CUFORT_BOTH __half(const __half_raw &a) : __x(a.x) {}
  __CUFORT_BOTH operator float() const {
    return (float)__builtin_bit_cast(Format, __x);
  }
  __CUFORT_BOTH operator __half_raw() const { return {bits()}; }
  __CUFORT_BOTH unsigned short bits() const { return __x; }
  static __CUFORT_BOTH __half fromBits(unsigned short bits) {
    __half result;
    result.__x = bits;
    return result;
  }
  static __CUFORT_BOTH __half fused(float a, float b, float c) {
    return fromBits(__builtin_bit_cast(
        unsigned short, __builtin_fmaf16((Format)a, (Format)b, (Format)c)));
  }

protected:
  unsigned short __x; // libcu++ has classes derived from this one that use it

private:
  typedef _Float16 Format;
  static __CUFORT_BOTH unsigned short toFormat(float a) {
    return __builtin_bit_cast(unsigned short, (Format)a);
  }
};

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

#define __CUFORT_SHORT __half
#define __CUFORT_PAIR __half2
#include "cufort/short_floats.h"
#undef __CUFORT_SHORT
#undef __CUFORT_PAIR

// A number that single precision does not hold is beyond half precision.
#define __CUFORT_DIRECTED(name, T)                                             \
  __CUFORT_INLINE __half __##name##2half_rz(T a) {                             \
    return __cufort_toward_zero((float)a, __half((float)a));                   \
  }                                                                            \
  __CUFORT_INLINE __half __##name##2half_rd(T a) {                             \
    return __cufort_below((float)a, __half((float)a));                         \
  }                                                                            \
  __CUFORT_INLINE __half __##name##2half_ru(T a) {                             \
    return __cufort_above((float)a, __half((float)a));                         \
  }
__CUFORT_DIRECTED(float, float)
__CUFORT_DIRECTED(int, int)
__CUFORT_DIRECTED(uint, unsigned int)
__CUFORT_DIRECTED(short, short)
__CUFORT_DIRECTED(ushort, unsigned short)
__CUFORT_DIRECTED(ll, long long)
__CUFORT_DIRECTED(ull, unsigned long long)
#undef __CUFORT_DIRECTED

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

#endif // __cplusplus
#endif // __CUDA_FP16_H__
