//===- sm_70_rt.hpp - matches of a warp's values ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang's header of intrinsics includes this file by CUDA's name for it.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_CRT_SM_70_RT_HPP
#define CUFORT_CRT_SM_70_RT_HPP

#define __CUFORT_MATCH(T, bits, U)                                             \
  static __device__ __forceinline__ unsigned int __match_any_sync(             \
      unsigned int mask, T value) {                                            \
    return __match##bits##_any_sync(mask, __builtin_bit_cast(U, value));       \
  }                                                                            \
  static __device__ __forceinline__ unsigned int __match_all_sync(             \
      unsigned int mask, T value, int *all) {                                  \
    return __match##bits##_all_sync(mask, __builtin_bit_cast(U, value), all);  \
  }
__CUFORT_MATCH(int, 32, unsigned int)
__CUFORT_MATCH(unsigned int, 32, unsigned int)
__CUFORT_MATCH(float, 32, unsigned int)
__CUFORT_MATCH(long, 64, unsigned long long)
__CUFORT_MATCH(unsigned long, 64, unsigned long long)
__CUFORT_MATCH(long long, 64, unsigned long long)
__CUFORT_MATCH(unsigned long long, 64, unsigned long long)
__CUFORT_MATCH(double, 64, unsigned long long)
#undef __CUFORT_MATCH

static __device__ __forceinline__ void __nanosleep(unsigned int nanoseconds) {
  __nvvm_nanosleep(nanoseconds);
}

#endif // CUFORT_CRT_SM_70_RT_HPP
