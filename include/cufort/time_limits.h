//===- time_limits.h - waits that end after a time --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_TIME_LIMITS_H
#define CUFORT_TIME_LIMITS_H

#include <chrono>

namespace cuda {
namespace details {

__host__ __device__ __forceinline__ long long nanosecondsNow() {
#ifdef __CUDA_ARCH__
  return (long long)__nvvm_read_ptx_sreg_globaltimer();
#else
  return ::std::chrono::duration_cast<::std::chrono::nanoseconds>(
             ::std::chrono::steady_clock::now().time_since_epoch())
      .count();
#endif
}

/// Calls \p ask until it says true, at least once, for as long as \p limit.
/// Returns what it said last.
template <class Number, class Period, class Ask>
__host__ __device__ __forceinline__ bool
askWithin(const ::std::chrono::duration<Number, Period> &limit, Ask ask) {
  const long long most =
      ::std::chrono::duration_cast<::std::chrono::nanoseconds>(limit).count();
  const long long begin = nanosecondsNow();
  while (!ask())
    if (nanosecondsNow() - begin >= most)
      return false;
  return true;
}

} // namespace details
} // namespace cuda

#endif // CUFORT_TIME_LIMITS_H
