//===- Stream.cpp - CUDA runtime API: streams --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/Types.h"
#include "runtime/core/Device.h"
#include "runtime/core/LaunchFailure.h"

using namespace cufort;

CUFORT_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream,
                                                    unsigned flags,
                                                    int priority) {
  if (!stream || flags > 1)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    return e.createStream(stream, /*blocking=*/flags == 0, priority);
  });
}

CUFORT_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream,
                                                 unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

CUFORT_API cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithPriority(stream, 0, 0);
}

CUFORT_API cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return onDevice([&](Engine &e) { return e.destroyStream(stream); });
}

CUFORT_API cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const cudaError_t error =
      onDevice([&](Engine &e) { return e.synchronizeStream(stream); });
  const cudaError_t launch = pendingLaunchFailure();
  forgetLaunchFailure();
  return error == cudaSuccess ? launch : error;
}

CUFORT_API cudaError_t cudaStreamQuery(cudaStream_t stream) {
  // Not ready is an answer, not an error to remember.
  DeviceUse use = useDevice();
  const cudaError_t error =
      use.error == cudaSuccess ? use.engine->queryStream(stream) : use.error;
  return error == cudaErrorNotReady ? error : recordError(error);
}

CUFORT_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream,
                                           cudaEvent_t event, unsigned) {
  return onDevice([&](Engine &e) { return e.waitEvent(stream, event); });
}

CUFORT_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream,
                                          void (*function)(void *),
                                          void *data) {
  return onDevice(
      [&](Engine &e) { return e.callHost(stream, function, data); });
}
