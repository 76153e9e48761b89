//===- cuda_bf16.h - bfloat16 -----------------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include "cuda_runtime.h"

#if !defined(__cplusplus)
// C has only the type, which the headers of libraries need.
typedef struct __attribute__((aligned(2))) {
  unsigned short x;
} __nv_bfloat16;
typedef struct __attribute__((aligned(4))) {
  unsigned short x, y;
} __nv_bfloat162;
typedef __nv_bfloat16 __nv_bfloat16_raw;
typedef __nv_bfloat162 __nv_bfloat162_raw;
#else

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
  __CUFORT_BOTH __nv_bfloat16(float a) : __x(toFormat(a)) {}
  __CUFORT_BOTH __nv_bfloat16(double a) : __x(toFormat((float)a)) {}
  __CUFORT_BOTH __nv_bfloat16(int a) : __x(toFormat((float)a)) {}
  __CUFORT_BOTH __nv_bfloat16(unsigned int a) : __x(toFormat((float)a)) {}
  __CUFORT_BOTH __nv_bfloat16(short a) : __x(toFormat((float)a)) {}
  __CUFORT_BOTH __nv_bfloat16(unsigned short a) : __x(toFormat((float)a)) {}
  __CUFORT_BOTH __nv_bfloat16(long a) : __x(toFormat((float)a)) {}
  __CUFORT_BOTH __nv_bfloat16(unsigned long a) : __x(toFormat((float)a)) {}
  __CUFORT_BOTH __nv_bfloat16(long long a) : __x(toFormat((float)a)) {}
  __CUFORT_BOTH __nv_bfloat16(unsigned long long a) : __x(toFormat((float)a)) {}
  __CUFORT_BOTH __nv_bfloat16(const __nv_bfloat16_raw &a) : __x(a.x) {}
  __CUFORT_BOTH operator float() const {
    return __builtin_bit_cast(float, (unsigned int)__x << 16);
  }
  __CUFORT_BOTH operator __nv_bfloat16_raw() const { return {bits()}; }
  __CUFORT_BOTH unsigned short bits() const { return __x; }
  static __CUFORT_BOTH __nv_bfloat16 fromBits(unsigned short bits) {
    __nv_bfloat16 result;
    result.__x = bits;
    return result;
  }
  static __CUFORT_BOTH __nv_bfloat16 fused(float a, float b, float c) {
    // The product is exact in single precision, and the sum in double precision
    // is so precise that only the second rounding, to the format's 8 bits,
    // matters.
    return __nv_bfloat16((float)((double)a * b + c));
  }

protected:
  unsigned short __x; // libcu++ has classes derived from this one that use it

private:
  static __CUFORT_BOTH unsigned short toFormat(float a) {
    unsigned int bits = __builtin_bit_cast(unsigned int, a);
    if ((bits & 0x7fffffff) > 0x7f800000)
      return 0x7fff;
    return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
};

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

#define __CUFORT_SHORT __nv_bfloat16
#define __CUFORT_PAIR __nv_bfloat162
#include "cufort/short_floats.h"
#undef __CUFORT_SHORT
#undef __CUFORT_PAIR

__CUFORT_INLINE __nv_bfloat16 __float2bfloat16_rz(float a) {
  return __cufort_toward_zero(a, __nv_bfloat16(a));
}
__CUFORT_INLINE __nv_bfloat16 __float2bfloat16_rd(float a) {
  return __cufort_below(a, __nv_bfloat16(a));
}
__CUFORT_INLINE __nv_bfloat16 __float2bfloat16_ru(float a) {
  return __cufort_above(a, __nv_bfloat16(a));
}

#undef __CUFORT_BOTH
#undef __CUFORT_INLINE

typedef __nv_bfloat162 nv_bfloat162;
typedef __nv_bfloat16 nv_bfloat16;
static __host__ __device__ __forceinline__ __nv_bfloat162
__halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}

#endif // __cplusplus
#endif // __CUDA_BF16_H__
