//===- cuda_fp8.h - numbers of 8 bits ---------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#include "cufort/narrow_floats.h"
#include <assert.h> // NVIDIA's has it, and programs rely on it

#if !defined(__cplusplus)
#error "cuda_fp8.h is for C++"
#endif

// Two storage formats: E4M3 has numbers up to 448, NaN and no infinity, E5M2
// has numbers up to 57344, infinities and NaN. Arithmetic is done in other
// formats.
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

__CUFORT_INLINE __cufort_narrow_format
__cufort_fp8_format(__nv_fp8_interpretation_t format) {
  if (format == __NV_E4M3)
    return {3, 7, 0x80, 0x7e, 0, 0x7f};
  return {2, 15, 0x80, 0x7b, 0x7c, 0x7f};
}
__CUFORT_INLINE __nv_fp8_storage_t __nv_cvt_float_to_fp8(
    float x, __nv_saturation_t saturation, __nv_fp8_interpretation_t format) {
  return __cufort_to_narrow(x, __cufort_fp8_format(format),
                            saturation == __NV_SATFINITE, cudaRoundNearest);
}
__CUFORT_INLINE __nv_fp8_storage_t __nv_cvt_double_to_fp8(
    double x, __nv_saturation_t saturation, __nv_fp8_interpretation_t format) {
  return __nv_cvt_float_to_fp8(__cufort_to_odd(x), saturation, format);
}
__CUFORT_INLINE __half_raw __nv_cvt_fp8_to_halfraw(
    __nv_fp8_storage_t x, __nv_fp8_interpretation_t format) {
  return (__half_raw)__float2half(
      __cufort_from_narrow(x, __cufort_fp8_format(format)));
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
__CUFORT_INLINE __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(
    __nv_bfloat162_raw v, __nv_saturation_t saturation,
    __nv_fp8_interpretation_t format) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_bfloat16raw_to_fp8({v.x}, saturation,
                                                            format) |
                                __nv_cvt_bfloat16raw_to_fp8({v.y}, saturation,
                                                            format)
                                    << 8);
}
__CUFORT_INLINE __half2_raw __nv_cvt_fp8x2_to_halfraw2(
    __nv_fp8x2_storage_t v, __nv_fp8_interpretation_t format) {
  return {__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)v, format).x,
          __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(v >> 8), format).x};
}

//===--- E8M0: powers of two from 2^-127 to 2^127, NaN, no sign ---===//

/// Of the size of a number, toward zero or, with cudaRoundPosInf, up.
__CUFORT_INLINE __nv_fp8_storage_t __nv_cvt_float_to_e8m0(
    float x, __nv_saturation_t saturation, enum cudaRoundMode rounding) {
  const unsigned int size = __builtin_bit_cast(unsigned int, x) & 0x7fffffff;
  unsigned int result = size >> 23;
  // The smallest is 2^-127, the fraction 0x400000 without an exponent.
  if (rounding == cudaRoundPosInf && (size & 0x7fffff) && size > 0x400000 &&
      size < 0x7f800000)
    ++result;
  if (saturation == __NV_SATFINITE && result == 0xff && size <= 0x7f800000)
    result = 0xfe;
  return (__nv_fp8_storage_t)result;
}
__CUFORT_INLINE __nv_fp8_storage_t __nv_cvt_double_to_e8m0(
    double x, __nv_saturation_t saturation, enum cudaRoundMode rounding) {
  return __nv_cvt_float_to_e8m0(__cufort_to_odd(x), saturation, rounding);
}
__CUFORT_INLINE __nv_fp8_storage_t
__nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x, __nv_saturation_t saturation,
                             enum cudaRoundMode rounding) {
  return __nv_cvt_float_to_e8m0((float)__nv_bfloat16(x), saturation, rounding);
}
#define __CUFORT_PAIR(name, Pair, one, One)                                    \
  __CUFORT_INLINE __nv_fp8x2_storage_t name(                                   \
      Pair v, __nv_saturation_t saturation, enum cudaRoundMode rounding) {     \
    return (__nv_fp8x2_storage_t)(one(One{v.x}, saturation, rounding) |        \
                                  one(One{v.y}, saturation, rounding) << 8);   \
  }
__CUFORT_PAIR(__nv_cvt_float2_to_e8m0x2, float2, __nv_cvt_float_to_e8m0, float)
__CUFORT_PAIR(__nv_cvt_double2_to_e8m0x2, double2, __nv_cvt_double_to_e8m0,
              double)
__CUFORT_PAIR(__nv_cvt_bfloat162raw_to_e8m0x2, __nv_bfloat162_raw,
              __nv_cvt_bfloat16raw_to_e8m0, __nv_bfloat16_raw)
#undef __CUFORT_PAIR
__CUFORT_INLINE
__nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
  return {(unsigned short)(x == 0xff ? 0x7fff : x ? x << 7 : 0x40)};
}
__CUFORT_INLINE __nv_bfloat162_raw
__nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t v) {
  return {__nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)v).x,
          __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(v >> 8)).x};
}

//===--- types ---===//

struct __cufort_fp8_storage {
  typedef __nv_fp8_storage_t One;
  typedef __nv_fp8x2_storage_t Two;
  typedef __nv_fp8x4_storage_t Four;
  static constexpr int step = 8;
};
template <__nv_fp8_interpretation_t which>
struct __cufort_fp8 : __cufort_fp8_storage {
  static __CUFORT_BOTH __cufort_narrow_format format() {
    return __cufort_fp8_format(which);
  }
};
/// The format has no zero; a number between two powers becomes the larger one.
struct __cufort_e8m0 : __cufort_fp8_storage {
  static __CUFORT_BOTH __nv_fp8_storage_t from(float a) {
    return __nv_cvt_float_to_e8m0(a, __NV_SATFINITE, cudaRoundPosInf);
  }
  static __CUFORT_BOTH __nv_fp8_storage_t from(double a) {
    return __nv_cvt_double_to_e8m0(a, __NV_SATFINITE, cudaRoundPosInf);
  }
  static __CUFORT_BOTH float value(unsigned int x) {
    return (float)__nv_bfloat16(
        __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)x));
  }
  static __CUFORT_BOTH bool isZero(unsigned int) { return false; }
};
__CUFORT_NARROW_TYPES(__nv_fp8, e4m3, __cufort_signed<__cufort_fp8<__NV_E4M3>>)
__CUFORT_NARROW_TYPES(__nv_fp8, e5m2, __cufort_signed<__cufort_fp8<__NV_E5M2>>)
__CUFORT_NARROW_TYPES(__nv_fp8, e8m0, __cufort_e8m0)
#undef __CUFORT_BOTH
#undef __CUFORT_INLINE

#endif // __CUDA_FP8_H__
