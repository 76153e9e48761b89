//===- PerThread.cpp - CUDA driver API: a default stream for each thread --===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/driver/PerThread.h"

using namespace cufort::driver;

// The suffix comes behind that of the version: cuMemcpyHtoD_v2_ptds.
#define JOINED(name, suffix) name##suffix
#define WITH_SUFFIX(name, suffix) JOINED(name, suffix)
#define PER_THREAD_STREAM(function, parameters, arguments)                     \
  CUFORT_DRIVER_API CUresult WITH_SUFFIX(function, _ptsz) parameters {         \
    return PerThread<&function>::call arguments;                               \
  }
#define PER_THREAD_WAITS(function, parameters, arguments)                      \
  CUFORT_DRIVER_API CUresult WITH_SUFFIX(function, _ptds) parameters {         \
    return InOwnStream<&function, &function##Async, true>::call arguments;     \
  }
#define PER_THREAD_SUBMITS(function, parameters, arguments)                    \
  CUFORT_DRIVER_API CUresult WITH_SUFFIX(function, _ptds) parameters {         \
    return InOwnStream<&function, &function##Async, false>::call arguments;    \
  }
#include "runtime/driver/PerThread.def"

CUFORT_DRIVER_API CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig *config,
                                                 CUfunction function,
                                                 void **parameters,
                                                 void **extra) {
  return launchKernelInOwnStream(config, function, parameters, extra);
}
