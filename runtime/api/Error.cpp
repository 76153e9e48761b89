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

/// For cudafor, which finds wrong arguments itself: \p error becomes the
/// thread's last one and is returned.
CUFORT_API cudaError_t __cufort_record_error(cudaError_t error) {
  return recordError(error);
}

CUFORT_API const char *cudaGetErrorString(cudaError_t error) {
  return errorText(error);
}

CUFORT_API const char *cudaGetErrorName(cudaError_t error) {
  return errorName(error);
}
