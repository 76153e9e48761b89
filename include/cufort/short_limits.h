//===- short_limits.h - results within limits, and rounded so ---*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of short_floats.h: results between 0 and 1 or not below 0, largest and
// smallest numbers that pass NaNs on, products of complex numbers, conversions
// in a chosen direction.
//
//===----------------------------------------------------------------------===//

// NaN becomes 0.
__CUFORT_INLINE __CUFORT_SHORT __cufort_saturated(__CUFORT_SHORT a) {
  return __CUFORT_SHORT(__builtin_fminf(__builtin_fmaxf((float)a, 0.0f), 1.0f));
}
#define __CUFORT_SATURATED(name, op)                                           \
  __CUFORT_INLINE __CUFORT_SHORT __h##name##_sat(__CUFORT_SHORT a,             \
                                                 __CUFORT_SHORT b) {           \
    return __cufort_saturated(a op b);                                         \
  }                                                                            \
  __CUFORT_INLINE __CUFORT_PAIR __h##name##2_sat(__CUFORT_PAIR a,              \
                                                 __CUFORT_PAIR b) {            \
    return __CUFORT_PAIR(__h##name##_sat(a.x, b.x),                            \
                         __h##name##_sat(a.y, b.y));                           \
  }
__CUFORT_SATURATED(add, +)
__CUFORT_SATURATED(sub, -)
__CUFORT_SATURATED(mul, *)
#undef __CUFORT_SATURATED
__CUFORT_INLINE __CUFORT_SHORT __hfma_sat(__CUFORT_SHORT a, __CUFORT_SHORT b,
                                          __CUFORT_SHORT c) {
  return __cufort_saturated(__hfma(a, b, c));
}
__CUFORT_INLINE __CUFORT_PAIR __hfma2_sat(__CUFORT_PAIR a, __CUFORT_PAIR b,
                                          __CUFORT_PAIR c) {
  return __CUFORT_PAIR(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
__CUFORT_INLINE __CUFORT_SHORT __hfma_relu(__CUFORT_SHORT a, __CUFORT_SHORT b,
                                           __CUFORT_SHORT c) {
  const __CUFORT_SHORT sum = __hfma(a, b, c);
  return __hisnan(sum)                ? __CUFORT_SHORT::fromBits(0x7fff)
         : sum < __CUFORT_SHORT(0.0f) ? __CUFORT_SHORT(0.0f)
                                      : sum;
}
__CUFORT_INLINE __CUFORT_PAIR __hfma2_relu(__CUFORT_PAIR a, __CUFORT_PAIR b,
                                           __CUFORT_PAIR c) {
  return __CUFORT_PAIR(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
}
__CUFORT_INLINE __CUFORT_PAIR __hisnan2(__CUFORT_PAIR a) {
  return __CUFORT_PAIR(__CUFORT_SHORT((float)__hisnan(a.x)),
                       __CUFORT_SHORT((float)__hisnan(a.y)));
}
#define __CUFORT_WITH_NAN(name)                                                \
  __CUFORT_INLINE __CUFORT_SHORT name##_nan(__CUFORT_SHORT a,                  \
                                            __CUFORT_SHORT b) {                \
    return __hisnan(a) || __hisnan(b) ? __CUFORT_SHORT::fromBits(0x7fff)       \
                                      : name(a, b);                            \
  }                                                                            \
  __CUFORT_INLINE __CUFORT_PAIR name##2_nan(__CUFORT_PAIR a,                   \
                                            __CUFORT_PAIR b) {                 \
    return __CUFORT_PAIR(name##_nan(a.x, b.x), name##_nan(a.y, b.y));          \
  }
__CUFORT_WITH_NAN(__hmax)
__CUFORT_WITH_NAN(__hmin)
#undef __CUFORT_WITH_NAN
// a * b + c, of complex numbers.
__CUFORT_INLINE __CUFORT_PAIR __hcmadd(__CUFORT_PAIR a, __CUFORT_PAIR b,
                                       __CUFORT_PAIR c) {
  return __CUFORT_PAIR(__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)),
                       __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

// The neighbour of the nearest number where that lies on the wrong side.
__CUFORT_INLINE __CUFORT_SHORT __cufort_below(float a, __CUFORT_SHORT nearest) {
  const unsigned short bits = nearest.bits();
  return !((float)nearest > a)
             ? nearest
             : __CUFORT_SHORT::fromBits(bits == 0       ? 0x8001
                                        : bits & 0x8000 ? bits + 1
                                                        : bits - 1);
}
__CUFORT_INLINE __CUFORT_SHORT __cufort_above(float a, __CUFORT_SHORT nearest) {
  return -__cufort_below(-a, -nearest);
}
__CUFORT_INLINE __CUFORT_SHORT __cufort_toward_zero(float a,
                                                    __CUFORT_SHORT nearest) {
  return a < 0 ? __cufort_above(a, nearest) : __cufort_below(a, nearest);
}
