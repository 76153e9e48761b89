//===- Event.cpp - CUDA runtime API: events ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/core/Device.h"

using namespace cufort;

CUFORT_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event,
                                                unsigned flags) {
  // Blocking synchronisation 1, no timing 2, interprocess 4, which has none.
  if (!event || flags & ~7u || (flags & 6) == 4)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) { return e.createEvent(event, flags); });
}

CUFORT_API cudaError_t cudaEventCreate(cudaEvent_t *event) {
  const profile::Call recorded;
  return cudaEventCreateWithFlags(event, 0);
}

CUFORT_API cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return onDevice([&](Engine &e) { return e.destroyEvent(event); });
}

CUFORT_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event,
                                                cudaStream_t stream,
                                                unsigned flags) {
  if (!event || flags > 1)
    return recordError(event ? cudaErrorInvalidValue
                             : cudaErrorInvalidResourceHandle);
  return onDevice(
      [&](Engine &e) { return e.recordEvent(event, stream, flags & 1); });
}

CUFORT_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const profile::Call recorded;
  return cudaEventRecordWithFlags(event, stream, 0);
}

CUFORT_API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return onDevice([&](Engine &e) { return e.synchronizeEvent(event); });
}

CUFORT_API cudaError_t cudaEventQuery(cudaEvent_t event) {
  return askDevice([&](Engine &e) { return e.queryEvent(event); });
}

CUFORT_API cudaError_t cudaEventElapsedTime(float *milliseconds,
                                            cudaEvent_t start,
                                            cudaEvent_t end) {
  if (!milliseconds)
    return recordError(cudaErrorInvalidValue);
  return askDevice(
      [&](Engine &e) { return e.elapsedTime(milliseconds, start, end); });
}

// What headers of CUDA 12 and 13 make of cudaEventElapsedTime.
CUFORT_API cudaError_t cudaEventElapsedTime_v2(float *milliseconds,
                                               cudaEvent_t start,
                                               cudaEvent_t end) {
  const profile::Call recorded;
  return cudaEventElapsedTime(milliseconds, start, end);
}

/// For cudafor, whose guide wants an error where CUDA has none: whether the
/// event has ever been recorded.
CUFORT_API cudaError_t __cufort_event_recorded(cudaEvent_t event,
                                               int *recorded) {
  return onDevice([&](Engine &e) {
    bool answer = false;
    const Error error = e.eventRecorded(event, &answer);
    *recorded = answer;
    return error;
  });
}
