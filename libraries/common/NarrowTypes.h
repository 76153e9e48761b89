//===- NarrowTypes.h - half and its kin as floats ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_COMMON_NARROWTYPES_H
#define CUFORT_LIBRARIES_COMMON_NARROWTYPES_H

#include "cuda_fp16.h"
#include "cuda_fp8.h"
#include <bit>
#include <cmath>
#include <cstdint>

namespace cufort::libraries {

inline float ofHalf(__half x) { return __half2float(x); }
inline float ofHalfBits(uint16_t bits) {
  return ofHalf(std::bit_cast<__half>(bits));
}
inline uint16_t toHalfBits(float x) {
  return std::bit_cast<uint16_t>(__float2half(x));
}

inline float ofBfloat(uint16_t bits) {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}
inline uint16_t toBfloat(float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  if (std::isnan(x))
    return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// Floats of eight bits; what is too large becomes the largest number.
inline float ofE4M3(uint8_t bits) {
  return __half2float(__half(__nv_cvt_fp8_to_halfraw(bits, __NV_E4M3)));
}
inline float ofE5M2(uint8_t bits) {
  return __half2float(__half(__nv_cvt_fp8_to_halfraw(bits, __NV_E5M2)));
}
inline uint8_t toE4M3(float x) {
  return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3);
}
inline uint8_t toE5M2(float x) {
  return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2);
}

} // namespace cufort::libraries

#endif // CUFORT_LIBRARIES_COMMON_NARROWTYPES_H
