//===- time_limits.h - waits that end after a time --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_TIME_LIMITS_H
#define CUFORT_TIME_LIMITS_H

#include "cuda/std/chrono"

namespace cuda {
namespace details {

/// Calls \p ask at least once, until it returns true or the time \p limit has
/// passed. Returns its last result.
template <class __Number, class __Period, class __Ask>
__host__ __device__ __forceinline__ bool
askWithin(const ::std::chrono::duration<__Number, __Period> &limit, __Ask ask) {
  const long long most =
      ::std::chrono::duration_cast<::std::chrono::nanoseconds>(limit).count();
  const long long begin = nanosecondsNow();
  while (!ask())
    if (nanosecondsNow() - begin >= most)
      return false;
  return true;
}

/// The same until the time \p end of \p Clock. In device code the standard
/// library's system_clock is cuda::std::chrono's, which counts from the same
/// time on; its other clocks are the host's.
template <class __Clock, class __Length, class __Ask>
__host__ __device__ __forceinline__ bool
askUntil(const ::std::chrono::time_point<__Clock, __Length> &end, __Ask ask) {
  using Asked = typename ::std::conditional<
      __is_same(__Clock, ::std::chrono::system_clock),
      cuda::std::chrono::system_clock, __Clock>::type;
  while (!ask())
    if (Asked::now().time_since_epoch() >= end.time_since_epoch())
      return false;
  return true;
}

} // namespace details
} // namespace cuda

#endif // CUFORT_TIME_LIMITS_H
