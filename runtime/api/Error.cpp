//===- Error.cpp - CUDA runtime API: errors ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/core/LaunchFailure.h"

using namespace cufort;

// Whoever asks for errors learns of failed launches, too.
CUFORT_API cudaError_t cudaGetLastError() {
  forgetLaunchFailure();
  return takeLastError();
}

CUFORT_API cudaError_t cudaPeekAtLastError() {
  forgetLaunchFailure();
  return lastError();
}

CUFORT_API const char *cudaGetErrorString(cudaError_t error) {
  return errorText(error);
}

CUFORT_API const char *cudaGetErrorName(cudaError_t error) {
  return errorName(error);
}
