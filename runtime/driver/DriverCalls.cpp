//===- DriverCalls.cpp - CUDA driver API: what only drivers do ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/driver/Call.h"

using namespace cufort;
using namespace cufort::driver;

// The runtime API hands its structures on as the driver's.
#define SAME_SIZE(runtime, driver)                                             \
  static_assert(sizeof(runtime) == sizeof(driver))
SAME_SIZE(cudaExternalMemoryHandleDesc, CUDA_EXTERNAL_MEMORY_HANDLE_DESC);
SAME_SIZE(cudaExternalMemoryBufferDesc, CUDA_EXTERNAL_MEMORY_BUFFER_DESC);
SAME_SIZE(cudaExternalSemaphoreHandleDesc, CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC);
SAME_SIZE(cudaExternalSemaphoreSignalParams,
          CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS);
SAME_SIZE(cudaExternalSemaphoreWaitParams, CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS);
SAME_SIZE(cudaAsyncNotificationInfo_t, CUasyncNotificationInfo);

using EglConnection = void *;
/// CUeglFrame: the addresses of planes, sizes, and three kinds.
struct EglFrame {
  void *planes[3];
  unsigned sizes[9];
};

static bool isDevice(CUdevice device) {
  return device >= 0 && device < deviceCount();
}

// A name stands for the newest version's symbol.
#define TEXT(symbol) #symbol
#define SYMBOL(name) TEXT(name)
#define ON_GPU(name, parameters, arguments, canBeRight)                        \
  CUFORT_DRIVER_API CUresult name parameters {                                 \
    return onEngine([&](Engine &e) -> Error {                                  \
      void *found = nullptr;                                                   \
      if (!(canBeRight))                                                       \
        return cudaErrorInvalidValue;                                          \
      if (const Error error = e.driverFunction(SYMBOL(name), &found);          \
          error != cudaSuccess)                                                \
        return error;                                                          \
      return static_cast<Error>(reinterpret_cast<decltype(&name)>(found)       \
                                    arguments);                                \
    });                                                                        \
  }
#define NOWHERE(name, parameters, canBeRight)                                  \
  CUFORT_DRIVER_API CUresult name parameters {                                 \
    return inContext([&] {                                                     \
      return canBeRight ? cudaErrorNotSupported : cudaErrorInvalidValue;       \
    });                                                                        \
  }
#include "runtime/driver/DriverCalls.def"
