//===- cuda_fp8.h - numbers of 8 bits ---------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if !defined(__cplusplus)
#error "cuda_fp8.h is for C++"
#endif

// Two formats to keep numbers in: E4M3 has numbers to 448, NaN and no infinity,
// E5M2 has numbers to 57344, infinities and NaN. Arithmetic is done in others.
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t {
  __NV_NOSAT,
  __NV_SATFINITE ///< what is too large becomes the largest number
} __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t {
  __NV_E4M3,
  __NV_E5M2
} __nv_fp8_interpretation_t;

#define __CUFORT_BOTH __host__ __device__ __forceinline__
#define __CUFORT_INLINE static __host__ __device__ __forceinline__

// Conversions of one number, to the nearest, of two equally near to the even
// one.

__CUFORT_INLINE __nv_fp8_storage_t __nv_cvt_float_to_fp8(
    float x, __nv_saturation_t saturation, __nv_fp8_interpretation_t format) {
  const int fraction = format == __NV_E4M3 ? 3 : 2,
            bias = format == __NV_E4M3 ? 7 : 15;
  const unsigned int largest = format == __NV_E4M3 ? 0x7e : 0x7b,
                     beyond = format == __NV_E4M3 ? 0x7f : 0x7c;
  const unsigned int bits = __builtin_bit_cast(unsigned int, x),
                     sign = bits >> 24 & 0x80, size = bits & 0x7fffffff;
  if (size > 0x7f800000)
    return 0x7f;
  unsigned int result;
  if (size >= (unsigned int)(128 - bias) << 23) {
    const int dropped = 23 - fraction;
    const unsigned int rounded =
        size + (1u << (dropped - 1)) - 1 + (size >> dropped & 1);
    result = (rounded - ((unsigned int)(127 - bias) << 23)) >> dropped;
    if (result > largest || size >= 0x7f800000)
      result = saturation == __NV_SATFINITE ? largest : beyond;
  } else {
    // Of numbers below the normal ones the fraction counts multiples of the
    // smallest; the sum with 2^23 drops what is beyond its point.
    const float multiples =
        __builtin_bit_cast(float, size) * (float)(1u << (bias - 1 + fraction));
    result = __builtin_bit_cast(unsigned int, multiples + 8388608.0f) & 0xff;
  }
  return (__nv_fp8_storage_t)(sign | result);
}
__CUFORT_INLINE __nv_fp8_storage_t __nv_cvt_double_to_fp8(
    double x, __nv_saturation_t saturation, __nv_fp8_interpretation_t format) {
  // Rounded to an odd last bit, so that rounding again decides as once would.
  float near = (float)x;
  if ((double)near != x && x == x) {
    unsigned int bits = __builtin_bit_cast(unsigned int, near);
    if (__builtin_fabs((double)near) > __builtin_fabs(x))
      --bits;
    near = __builtin_bit_cast(float, bits | 1);
  }
  return __nv_cvt_float_to_fp8(near, saturation, format);
}
__CUFORT_INLINE float __cufort_fp8_to_float(__nv_fp8_storage_t x,
                                            __nv_fp8_interpretation_t format) {
  const int fraction = format == __NV_E4M3 ? 3 : 2,
            bias = format == __NV_E4M3 ? 7 : 15;
  const unsigned int size = x & 0x7f, sign = (unsigned int)(x & 0x80) << 24;
  unsigned int bits;
  if (format == __NV_E4M3 ? size == 0x7f : size > 0x7c)
    return __builtin_bit_cast(float, 0x7fffffffu);
  if (format == __NV_E5M2 && size == 0x7c)
    bits = 0x7f800000;
  else if (size >> fraction)
    bits = (size << (23 - fraction)) + ((unsigned int)(127 - bias) << 23);
  else
    bits = __builtin_bit_cast(
        unsigned int, (float)size / (float)(1u << (bias - 1 + fraction)));
  return __builtin_bit_cast(float, sign | bits);
}
__CUFORT_INLINE __half_raw __nv_cvt_fp8_to_halfraw(
    __nv_fp8_storage_t x, __nv_fp8_interpretation_t format) {
  return (__half_raw)__float2half(__cufort_fp8_to_float(x, format));
}
__CUFORT_INLINE __nv_fp8_storage_t
__nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturation,
                        __nv_fp8_interpretation_t format) {
  return __nv_cvt_float_to_fp8(__half2float(__half(x)), saturation, format);
}
__CUFORT_INLINE __nv_fp8_storage_t
__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturation,
                            __nv_fp8_interpretation_t format) {
  return __nv_cvt_float_to_fp8((float)__nv_bfloat16(x), saturation, format);
}

// Of two, the first in the low bits.

#define __CUFORT_PAIR(name, Pair, one)                                         \
  __CUFORT_INLINE __nv_fp8x2_storage_t name(                                   \
      Pair v, __nv_saturation_t saturation,                                    \
      __nv_fp8_interpretation_t format) {                                      \
    return (__nv_fp8x2_storage_t)(one(v.x, saturation, format) |               \
                                  one(v.y, saturation, format) << 8);          \
  }
__CUFORT_PAIR(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8)
__CUFORT_PAIR(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8)
#undef __CUFORT_PAIR
__CUFORT_INLINE __nv_fp8x2_storage_t
__nv_cvt_halfraw2_to_fp8x2(__half2_raw v, __nv_saturation_t saturation,
                           __nv_fp8_interpretation_t format) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_halfraw_to_fp8(__half_raw{v.x},
                                                        saturation, format) |
                                __nv_cvt_halfraw_to_fp8(__half_raw{v.y},
                                                        saturation, format)
                                    << 8);
}
__CUFORT_INLINE __half2_raw __nv_cvt_fp8x2_to_halfraw2(
    __nv_fp8x2_storage_t v, __nv_fp8_interpretation_t format) {
  return {__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)v, format).x,
          __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(v >> 8), format).x};
}

/// One, two and four numbers. Integers, single and double precision and halves
/// are converted to them with the largest number for what is too large.
#define __CUFORT_FP8(name, format)                                             \
  struct __nv_fp8_##name {                                                     \
    __nv_fp8_storage_t __x;                                                    \
    __nv_fp8_##name() = default;                                               \
    __CUFORT_BOTH explicit __nv_fp8_##name(float a)                            \
        : __x(__nv_cvt_float_to_fp8(a, __NV_SATFINITE, format)) {}             \
    __CUFORT_BOTH explicit __nv_fp8_##name(double a)                           \
        : __x(__nv_cvt_double_to_fp8(a, __NV_SATFINITE, format)) {}            \
    __CUFORT_BOTH explicit __nv_fp8_##name(__half a)                           \
        : __nv_fp8_##name(__half2float(a)) {}                                  \
    __CUFORT_BOTH explicit __nv_fp8_##name(__nv_bfloat16 a)                    \
        : __nv_fp8_##name((float)a) {}                                         \
    __CUFORT_BOTH explicit __nv_fp8_##name(int a)                              \
        : __nv_fp8_##name((double)a) {}                                        \
    __CUFORT_BOTH explicit __nv_fp8_##name(unsigned int a)                     \
        : __nv_fp8_##name((double)a) {}                                        \
    __CUFORT_BOTH explicit __nv_fp8_##name(long long a)                        \
        : __nv_fp8_##name((double)a) {}                                        \
    __CUFORT_BOTH explicit __nv_fp8_##name(unsigned long long a)               \
        : __nv_fp8_##name((double)a) {}                                        \
    __CUFORT_BOTH explicit operator float() const {                            \
      return __cufort_fp8_to_float(__x, format);                               \
    }                                                                          \
    __CUFORT_BOTH explicit operator double() const { return (float)*this; }    \
    __CUFORT_BOTH explicit operator __half() const {                           \
      return __float2half((float)*this);                                       \
    }                                                                          \
    __CUFORT_BOTH explicit operator __nv_bfloat16() const {                    \
      return __nv_bfloat16((float)*this);                                      \
    }                                                                          \
    __CUFORT_BOTH explicit operator int() const { return (int)(float)*this; }  \
    __CUFORT_BOTH explicit operator bool() const { return __x & 0x7f; }        \
  };                                                                           \
  struct __nv_fp8x2_##name {                                                   \
    __nv_fp8x2_storage_t __x;                                                  \
    __nv_fp8x2_##name() = default;                                             \
    __CUFORT_BOTH explicit __nv_fp8x2_##name(float2 a)                         \
        : __x(__nv_cvt_float2_to_fp8x2(a, __NV_SATFINITE, format)) {}          \
    __CUFORT_BOTH explicit __nv_fp8x2_##name(double2 a)                        \
        : __x(__nv_cvt_double2_to_fp8x2(a, __NV_SATFINITE, format)) {}         \
    __CUFORT_BOTH explicit __nv_fp8x2_##name(__half2 a)                        \
        : __nv_fp8x2_##name(__half22float2(a)) {}                              \
    __CUFORT_BOTH explicit operator float2() const {                           \
      return make_float2(                                                      \
          __cufort_fp8_to_float((__nv_fp8_storage_t)__x, format),              \
          __cufort_fp8_to_float((__nv_fp8_storage_t)(__x >> 8), format));      \
    }                                                                          \
    __CUFORT_BOTH explicit operator __half2() const {                          \
      return __float22half2_rn((float2) * this);                               \
    }                                                                          \
  };                                                                           \
  struct __nv_fp8x4_##name {                                                   \
    __nv_fp8x4_storage_t __x;                                                  \
    __nv_fp8x4_##name() = default;                                             \
    __CUFORT_BOTH explicit __nv_fp8x4_##name(float4 a)                         \
        : __x(__nv_fp8x2_##name(make_float2(a.x, a.y)).__x |                   \
              (unsigned int)__nv_fp8x2_##name(make_float2(a.z, a.w)).__x       \
                  << 16) {}                                                    \
    __CUFORT_BOTH explicit operator float4() const {                           \
      __nv_fp8x2_##name low, high;                                             \
      low.__x = (__nv_fp8x2_storage_t)__x;                                     \
      high.__x = (__nv_fp8x2_storage_t)(__x >> 16);                            \
      float2 first = (float2)low, second = (float2)high;                       \
      return make_float4(first.x, first.y, second.x, second.y);                \
    }                                                                          \
  };
__CUFORT_FP8(e4m3, __NV_E4M3)
__CUFORT_FP8(e5m2, __NV_E5M2)
#undef __CUFORT_FP8
#undef __CUFORT_BOTH
#undef __CUFORT_INLINE

#endif // __CUDA_FP8_H__
