//===- narrow_floats.h - numbers of 8 bits and fewer ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What cuda_fp8.h, cuda_fp6.h and cuda_fp4.h have in common: how a number is
// rounded to a sign, an exponent and a fraction of few bits, and the types of
// one, two and four such numbers.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_NARROW_FLOATS_H
#define CUFORT_NARROW_FLOATS_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "device_types.h"
#include <type_traits>

#define __CUFORT_BOTH __host__ __device__ __forceinline__
#define __CUFORT_INLINE static __host__ __device__ __forceinline__

/// The bits of a format, and its codes without the sign. Where there is no
/// infinity, that is 0; where there is no NaN, NaN becomes the largest number.
struct __cufort_narrow_format {
  int fraction, bias;
  unsigned int sign, largest, infinity, nan;
};

/// The number in the direction; what is beyond the largest one becomes that, or
/// infinity or NaN, whichever the format has.
__CUFORT_INLINE unsigned char __cufort_to_narrow(float x,
                                                 __cufort_narrow_format format,
                                                 bool saturates,
                                                 enum cudaRoundMode rounding) {
  const unsigned int bits = __builtin_bit_cast(unsigned int, x),
                     size = bits & 0x7fffffff;
  const bool negative = bits >> 31;
  if (size > 0x7f800000)
    return (unsigned char)format.nan;
  const bool nearest = rounding == cudaRoundNearest,
             up = rounding == (negative ? cudaRoundMinInf : cudaRoundPosInf);
  unsigned int result;
  if (size >= (unsigned int)(128 - format.bias) << 23) {
    const int dropped = 23 - format.fraction;
    const unsigned int added =
        nearest ? (1u << (dropped - 1)) - 1 + (size >> dropped & 1)
        : up    ? (1u << dropped) - 1
                : 0;
    result =
        (size + added - ((unsigned int)(127 - format.bias) << 23)) >> dropped;
    if (result > format.largest || size >= 0x7f800000)
      result = saturates         ? format.largest
               : format.infinity ? format.infinity
                                 : format.nan;
  } else {
    // Of numbers below the normal ones the fraction counts multiples of the
    // smallest; the sum with 2^23 drops what is beyond its point.
    const float multiples = __builtin_bit_cast(float, size) *
                            (float)(1u << (format.bias - 1 + format.fraction));
    if (nearest) {
      result = __builtin_bit_cast(unsigned int, multiples + 8388608.0f) & 0xff;
    } else {
      result = (unsigned int)multiples;
      if (up && (float)result < multiples)
        ++result;
    }
  }
  return (unsigned char)((negative ? format.sign : 0) | result);
}
/// Sets the last bit if the number is not exact in single precision, so that a
/// second rounding has the same result as a single one.
__CUFORT_INLINE float __cufort_to_odd(double x) {
  const float near = (float)x;
  if ((double)near == x || x != x)
    return near;
  unsigned int bits = __builtin_bit_cast(unsigned int, near);
  if (__builtin_fabs((double)near) > __builtin_fabs(x))
    --bits;
  return __builtin_bit_cast(float, bits | 1);
}
__CUFORT_INLINE float __cufort_from_narrow(unsigned int x,
                                           __cufort_narrow_format format) {
  const unsigned int size = x & (format.sign - 1),
                     sign = x & format.sign ? 0x80000000 : 0;
  unsigned int bits;
  if (size > format.largest && size != format.infinity)
    return __builtin_bit_cast(float, 0x7fffffffu);
  if (size > format.largest)
    bits = 0x7f800000;
  else if (size >> format.fraction)
    bits = (size << (23 - format.fraction)) +
           ((unsigned int)(127 - format.bias) << 23);
  else
    bits = __builtin_bit_cast(
        unsigned int,
        (float)size / (float)(1u << (format.bias - 1 + format.fraction)));
  return __builtin_bit_cast(float, sign | bits);
}
/// An integer in double precision: exact up to 53 bits; beyond, the last bit
/// says whether anything was dropped.
__CUFORT_INLINE double __cufort_integer_value(unsigned long long a) {
  return a >> 53 ? (double)(a >> 16 | (a & 0xffff ? 1 : 0)) * 65536.0
                 : (double)a;
}
__CUFORT_INLINE double __cufort_integer_value(long long a) {
  return a < 0 ? -__cufort_integer_value(0 - (unsigned long long)a)
               : __cufort_integer_value((unsigned long long)a);
}
/// Toward zero; the nearest integer for what is too large. NaN is 0, and with
/// 64 bits the highest bit alone.
template <class T> __CUFORT_INLINE T __cufort_to_integer(float a) {
  const T top = (T)((T)1 << (sizeof(T) * 8 - 1));
  const bool isSigned = (T)-1 < (T)0;
  const T least = isSigned ? top : (T)0, most = (T)~least;
  if (a != a)
    return sizeof(T) == 8 ? top : (T)0;
  // The first power of two that is too large.
  const float beyond =
      (float)(1ull << (sizeof(T) * 8 - 1)) * (isSigned ? 1.0f : 2.0f);
  return a >= beyond ? most : a <= (isSigned ? -beyond : 0.0f) ? least : (T)a;
}

/// A format with a sign as the types below use it: Format says what the bits
/// are, in which types they are stored, and how many apart.
template <class Format> struct __cufort_signed : Format {
  static __CUFORT_BOTH typename Format::One from(float a) {
    return __cufort_to_narrow(a, Format::format(), true, cudaRoundNearest);
  }
  static __CUFORT_BOTH typename Format::One from(double a) {
    return from(__cufort_to_odd(a));
  }
  static __CUFORT_BOTH float value(unsigned int x) {
    return __cufort_from_narrow(x, Format::format());
  }
  static __CUFORT_BOTH bool isZero(unsigned int x) {
    return !(x & (Format::format().sign - 1));
  }
};

/// One, two and four numbers. Integers, single and double precision and halves
/// are converted to them with the largest number for what is too large.
template <class Format> struct __cufort_narrow {
  typename Format::One __x;
  __cufort_narrow() = default;
  __CUFORT_BOTH explicit __cufort_narrow(float a) : __x(Format::from(a)) {}
  __CUFORT_BOTH explicit __cufort_narrow(double a) : __x(Format::from(a)) {}
  __CUFORT_BOTH explicit __cufort_narrow(__half a)
      : __x(Format::from((float)a)) {}
  __CUFORT_BOTH explicit __cufort_narrow(__nv_bfloat16 a)
      : __x(Format::from((float)a)) {}
  __CUFORT_BOTH explicit __cufort_narrow(short a)
      : __cufort_narrow((double)a) {}
  __CUFORT_BOTH explicit __cufort_narrow(unsigned short a)
      : __cufort_narrow((double)a) {}
  __CUFORT_BOTH explicit __cufort_narrow(int a) : __cufort_narrow((double)a) {}
  __CUFORT_BOTH explicit __cufort_narrow(unsigned int a)
      : __cufort_narrow((double)a) {}
  __CUFORT_BOTH explicit __cufort_narrow(long a)
      : __cufort_narrow((long long)a) {}
  __CUFORT_BOTH explicit __cufort_narrow(unsigned long a)
      : __cufort_narrow((unsigned long long)a) {}
  __CUFORT_BOTH explicit __cufort_narrow(long long a)
      : __cufort_narrow(__cufort_integer_value(a)) {}
  __CUFORT_BOTH explicit __cufort_narrow(unsigned long long a)
      : __cufort_narrow(__cufort_integer_value(a)) {}

  __CUFORT_BOTH explicit operator float() const { return Format::value(__x); }
  __CUFORT_BOTH explicit operator double() const { return (float)*this; }
  __CUFORT_BOTH explicit operator __half() const {
    return __float2half((float)*this);
  }
  __CUFORT_BOTH explicit operator __nv_bfloat16() const {
    return __nv_bfloat16((float)*this);
  }
  __CUFORT_BOTH explicit operator bool() const { return !Format::isZero(__x); }
  template <class T, class = typename ::std::enable_if<
                         ::std::is_integral<T>::value &&
                         !::std::is_same<T, bool>::value>::type>
  __CUFORT_BOTH explicit operator T() const {
    return __cufort_to_integer<T>((float)*this);
  }
};
template <class Format> struct __cufort_narrow_x2 {
  typename Format::Two __x;
  __cufort_narrow_x2() = default;
  __CUFORT_BOTH explicit __cufort_narrow_x2(float2 a)
      : __x(joined(Format::from(a.x), Format::from(a.y))) {}
  __CUFORT_BOTH explicit __cufort_narrow_x2(double2 a)
      : __x(joined(Format::from(a.x), Format::from(a.y))) {}
  __CUFORT_BOTH explicit __cufort_narrow_x2(__half2 a)
      : __x(joined(Format::from((float)a.x), Format::from((float)a.y))) {}
  __CUFORT_BOTH explicit __cufort_narrow_x2(__nv_bfloat162 a)
      : __x(joined(Format::from((float)a.x), Format::from((float)a.y))) {}
  __CUFORT_BOTH explicit operator float2() const {
    return make_float2(Format::value(__x), Format::value(__x >> Format::step));
  }
  __CUFORT_BOTH explicit operator __half2() const {
    return __float22half2_rn((float2) * this);
  }
  __CUFORT_BOTH explicit operator __nv_bfloat162() const {
    const float2 a = (float2) * this;
    return __nv_bfloat162(__nv_bfloat16(a.x), __nv_bfloat16(a.y));
  }

  /// The first in the low bits.
  static __CUFORT_BOTH typename Format::Two joined(unsigned int first,
                                                   unsigned int second) {
    return (typename Format::Two)(first | second << Format::step);
  }
};
template <class Format> struct __cufort_narrow_x4 {
  typedef __cufort_narrow_x2<Format> __Half;
  typename Format::Four __x;
  __cufort_narrow_x4() = default;
  __CUFORT_BOTH explicit __cufort_narrow_x4(float4 a)
      : __x(joined(__Half(make_float2(a.x, a.y)),
                   __Half(make_float2(a.z, a.w)))) {}
  __CUFORT_BOTH explicit __cufort_narrow_x4(double4 a)
      : __x(joined(__Half(make_double2(a.x, a.y)),
                   __Half(make_double2(a.z, a.w)))) {}
  __CUFORT_BOTH __cufort_narrow_x4(__half2 low, __half2 high)
      : __x(joined(__Half(low), __Half(high))) {}
  __CUFORT_BOTH __cufort_narrow_x4(__nv_bfloat162 low, __nv_bfloat162 high)
      : __x(joined(__Half(low), __Half(high))) {}
  __CUFORT_BOTH explicit operator float4() const {
    return make_float4(Format::value(__x), Format::value(__x >> Format::step),
                       Format::value(__x >> 2 * Format::step),
                       Format::value(__x >> 3 * Format::step));
  }

private:
  static __CUFORT_BOTH typename Format::Four joined(__Half low, __Half high) {
    return (typename Format::Four)(low.__x | (unsigned int)high.__x
                                                 << 2 * Format::step);
  }
};

#undef __CUFORT_BOTH
#undef __CUFORT_INLINE

/// The three types by their names.
#define __CUFORT_NARROW_TYPES(prefix, name, Format)                            \
  struct prefix##_##name : __cufort_narrow<Format> {                           \
    using __cufort_narrow<Format>::__cufort_narrow;                            \
    prefix##_##name() = default;                                               \
  };                                                                           \
  struct prefix##x2_##name : __cufort_narrow_x2<Format> {                      \
    using __cufort_narrow_x2<Format>::__cufort_narrow_x2;                      \
    prefix##x2_##name() = default;                                             \
  };                                                                           \
  struct prefix##x4_##name : __cufort_narrow_x4<Format> {                      \
    using __cufort_narrow_x4<Format>::__cufort_narrow_x4;                      \
    prefix##x4_##name() = default;                                             \
  };

/// Conversions of fp6 and fp4 by functions, of one number and of two; formatOf
/// gives the format of an interpretation.
#define __CUFORT_NARROW_CONVERSIONS(fp, step)                                  \
  __CUFORT_NARROW_FROM(fp, float, float, x)                                    \
  __CUFORT_NARROW_FROM(fp, double, double, __cufort_to_odd(x))                 \
  __CUFORT_NARROW_FROM(fp, halfraw, __half_raw, (float)__half(x))              \
  __CUFORT_NARROW_FROM(fp, bfloat16raw, __nv_bfloat16_raw,                     \
                       (float)__nv_bfloat16(x))                                \
  __CUFORT_NARROW_FROM_PAIR(fp, float2, float, float2, v.x, v.y, step)         \
  __CUFORT_NARROW_FROM_PAIR(fp, double2, double, double2, v.x, v.y, step)      \
  __CUFORT_NARROW_FROM_PAIR(fp, halfraw2, halfraw, __half2_raw,                \
                            __half_raw{v.x}, __half_raw{v.y}, step)            \
  __CUFORT_NARROW_FROM_PAIR(fp, bfloat16raw2, bfloat16raw, __nv_bfloat162_raw, \
                            __nv_bfloat16_raw{v.x}, __nv_bfloat16_raw{v.y},    \
                            step)                                              \
  static __host__ __device__ __forceinline__ __half_raw                        \
  __nv_cvt_##fp##_to_halfraw(__nv_##fp##_storage_t x,                          \
                             __nv_##fp##_interpretation_t format) {            \
    return (__half_raw)__float2half(                                           \
        __cufort_from_narrow(x, __cufort_##fp##_format(format)));              \
  }                                                                            \
  static __host__ __device__ __forceinline__ __half2_raw                       \
  __nv_cvt_##fp##x2_to_halfraw2(__nv_##fp##x2_storage_t v,                     \
                                __nv_##fp##_interpretation_t format) {         \
    return {                                                                   \
        __nv_cvt_##fp##_to_halfraw((__nv_##fp##_storage_t)v, format).x,        \
        __nv_cvt_##fp##_to_halfraw((__nv_##fp##_storage_t)(v >> step), format) \
            .x};                                                               \
  }
#define __CUFORT_NARROW_FROM(fp, name, T, value)                               \
  static __host__ __device__ __forceinline__ __nv_##fp##_storage_t             \
  __nv_cvt_##name##_to_##fp(T x, __nv_##fp##_interpretation_t format,          \
                            enum cudaRoundMode rounding) {                     \
    return __cufort_to_narrow(value, __cufort_##fp##_format(format), true,     \
                              rounding);                                       \
  }
#define __CUFORT_NARROW_FROM_PAIR(fp, name, one, T, first, second, step)       \
  static __host__ __device__ __forceinline__ __nv_##fp##x2_storage_t           \
  __nv_cvt_##name##_to_##fp##x2(T v, __nv_##fp##_interpretation_t format,      \
                                enum cudaRoundMode rounding) {                 \
    return (__nv_##fp##x2_storage_t)(                                          \
        __nv_cvt_##one##_to_##fp(first, format, rounding) |                    \
        __nv_cvt_##one##_to_##fp(second, format, rounding) << step);           \
  }

#endif // CUFORT_NARROW_FLOATS_H
