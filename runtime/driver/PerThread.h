//===- PerThread.h - CUDA driver API: a default stream for each thread ----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_DRIVER_PERTHREAD_H
#define CUFORT_RUNTIME_DRIVER_PERTHREAD_H

#include "runtime/driver/Call.h"
#include <type_traits>

namespace cufort::driver {

/// \p function with the thread's default stream where a program names none.
template <auto function> struct PerThread;
template <typename... Arguments, CUresult (*function)(Arguments...)>
struct PerThread<function> {
  template <typename T> static T own(T argument) { return argument; }
  static CUstream own(CUstream stream) {
    return stream ? stream : CU_STREAM_PER_THREAD;
  }
  static CUresult call(Arguments... arguments) {
    return function(own(arguments)...);
  }
  static constexpr bool hasStream =
      (std::is_same_v<Arguments, CUstream> || ...);
  static constexpr CUresult (*chosen)(Arguments...) = hasStream ? call
                                                                : function;
};

/// \p plain, which names no stream, in the thread's; \p async is the same with
/// one. \p waits: until it is done.
template <auto plain, auto async, bool waits> struct InOwnStream;
template <typename... Arguments, CUresult (*plain)(Arguments...), auto async,
          bool waits>
struct InOwnStream<plain, async, waits> {
  static CUresult call(Arguments... arguments) {
    const CUresult result = async(arguments..., CU_STREAM_PER_THREAD);
    return waits && result == CUDA_SUCCESS
               ? cuStreamSynchronize(CU_STREAM_PER_THREAD)
               : result;
  }
};

/// The same of cuLaunchKernelEx, whose stream is one of its structure.
inline CUresult launchKernelInOwnStream(const CUlaunchConfig *config,
                                        CUfunction function, void **parameters,
                                        void **extra) {
  if (!config || config->hStream)
    return cuLaunchKernelEx(config, function, parameters, extra);
  CUlaunchConfig own = *config;
  own.hStream = CU_STREAM_PER_THREAD;
  return cuLaunchKernelEx(&own, function, parameters, extra);
}

} // namespace cufort::driver

#endif // CUFORT_RUNTIME_DRIVER_PERTHREAD_H
