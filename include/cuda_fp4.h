//===- cuda_fp4.h - numbers of 4 bits ---------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __CUDA_FP4_H__
#define __CUDA_FP4_H__

#include "cuda_fp8.h"

// A storage format without infinities and NaN: E2M1 has numbers up to 6. Two
// numbers share a byte.
typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

static __host__ __device__ __forceinline__ __cufort_narrow_format
__cufort_fp4_format(__nv_fp4_interpretation_t) {
  return {1, 1, 8, 7, 0, 7};
}
__CUFORT_NARROW_CONVERSIONS(fp4, 4)

struct __cufort_fp4 {
  typedef __nv_fp4_storage_t One;
  typedef __nv_fp4x2_storage_t Two;
  typedef __nv_fp4x4_storage_t Four;
  static constexpr int step = 4;
  static __host__ __device__ __forceinline__ __cufort_narrow_format format() {
    return __cufort_fp4_format(__NV_E2M1);
  }
};
__CUFORT_NARROW_TYPES(__nv_fp4, e2m1, __cufort_signed<__cufort_fp4>)

#endif // __CUDA_FP4_H__
