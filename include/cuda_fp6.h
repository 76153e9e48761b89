//===- cuda_fp6.h - numbers of 6 bits ---------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __CUDA_FP6_H__
#define __CUDA_FP6_H__

#include "cuda_fp8.h"

// Two storage formats without infinities and NaN: E2M3 has numbers up to 7.5,
// E3M2 up to 28. Each uses the low bits of a byte.
typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t {
  __NV_E2M3,
  __NV_E3M2
} __nv_fp6_interpretation_t;

static __host__ __device__ __forceinline__ __cufort_narrow_format
__cufort_fp6_format(__nv_fp6_interpretation_t format) {
  return {format == __NV_E2M3 ? 3 : 2,
          format == __NV_E2M3 ? 1 : 3,
          0x20,
          0x1f,
          0,
          0x1f};
}
__CUFORT_NARROW_CONVERSIONS(fp6, 8)

template <__nv_fp6_interpretation_t which> struct __cufort_fp6 {
  typedef __nv_fp6_storage_t One;
  typedef __nv_fp6x2_storage_t Two;
  typedef __nv_fp6x4_storage_t Four;
  static constexpr int step = 8;
  static __host__ __device__ __forceinline__ __cufort_narrow_format format() {
    return __cufort_fp6_format(which);
  }
};
__CUFORT_NARROW_TYPES(__nv_fp6, e2m3, __cufort_signed<__cufort_fp6<__NV_E2M3>>)
__CUFORT_NARROW_TYPES(__nv_fp6, e3m2, __cufort_signed<__cufort_fp6<__NV_E3M2>>)

#endif // __CUDA_FP6_H__
