//===- DriverCalls.cpp - CUDA runtime API: what only drivers do -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/core/Device.h"

using namespace cufort;

using EglConnection = void *;
/// As large as cudaEglFrame: the compiled program puts one on the stack.
struct EglFrame {
  void *bytes[35];
};

#define ON_GPU(name, symbol, parameters, arguments, canBeRight)                \
  CUFORT_API cudaError_t name parameters {                                     \
    return onDevice([&](Engine &e) -> Error {                                  \
      void *found = nullptr;                                                   \
      if (!(canBeRight))                                                       \
        return cudaErrorInvalidValue;                                          \
      if (const Error error = e.driverFunction(symbol, &found);                \
          error != cudaSuccess)                                                \
        return error;                                                          \
      return reinterpret_cast<decltype(&name)>(found) arguments;               \
    });                                                                        \
  }
#define NOWHERE(name, parameters, canBeRight)                                  \
  CUFORT_API cudaError_t name parameters {                                     \
    return recordError(canBeRight ? cudaErrorNotSupported                      \
                                  : cudaErrorInvalidValue);                    \
  }
#include "runtime/api/DriverCalls.def"
