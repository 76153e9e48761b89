//===- Stream.cpp - CUDA runtime API: streams --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/core/Device.h"
#include "runtime/core/LaunchFailure.h"
#include "runtime/core/StreamNumbers.h"
#include "runtime/core/engine/Captures.h"
#include <memory>

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
  const profile::Call recorded;
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

CUFORT_API cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  const profile::Call recorded;
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
  return askDevice([&](Engine &e) { return e.queryStream(stream); });
}

CUFORT_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream,
                                           cudaEvent_t event, unsigned flags) {
  if (flags > 1)
    return recordError(cudaErrorInvalidValue);
  return onDevice(
      [&](Engine &e) { return e.waitEvent(stream, event, flags & 1); });
}

CUFORT_API cudaError_t cudaDeviceGetStreamPriorityRange(int *least,
                                                        int *greatest) {
  return onDevice([&](Engine &e) {
    int from, to;
    e.priorityRange(&from, &to);
    if (least)
      *least = from;
    if (greatest)
      *greatest = to;
    return cudaSuccess;
  });
}

CUFORT_API cudaError_t cudaStreamGetPriority(cudaStream_t stream,
                                             int *priority) {
  if (!priority)
    return recordError(cudaErrorInvalidValue);
  return onDevice(
      [&](Engine &e) { return e.streamPriority(stream, priority); });
}

CUFORT_API cudaError_t cudaStreamGetFlags(cudaStream_t stream,
                                          unsigned *flags) {
  if (!flags)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    bool blocking;
    const Error error = e.streamBlocking(stream, &blocking);
    if (error == cudaSuccess)
      *flags = !blocking;
    return error;
  });
}

CUFORT_API cudaError_t cudaStreamGetId(cudaStream_t stream,
                                       unsigned long long *id) {
  if (!id)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    bool blocking;
    const Error error = e.streamBlocking(stream, &blocking);
    if (error == cudaSuccess)
      *id =
          reinterpret_cast<unsigned long long>(stream ? stream : LegacyStream);
    return error;
  });
}

CUFORT_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream,
                                                void *memory, size_t bytes,
                                                unsigned flags) {
  return onDevice(
      [&](Engine &e) { return e.attach(stream, memory, bytes, flags); });
}

namespace {

struct Callback {
  void (*function)(cudaStream_t, cudaError_t, void *);
  cudaStream_t stream;
  void *data;
};

} // namespace

CUFORT_API cudaError_t cudaStreamAddCallback(
    cudaStream_t stream, void (*function)(cudaStream_t, cudaError_t, void *),
    void *data, unsigned flags) {
  if (!function || flags)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    // A callback cannot become a graph's node.
    Error error = refuseInCapture(e, stream);
    if (error != cudaSuccess)
      return error;
    std::unique_ptr<Callback> callback(new Callback{function, stream, data});
    error = e.callHost(
        stream,
        [](void *pointer) {
          std::unique_ptr<Callback> callback(static_cast<Callback *>(pointer));
          callback->function(callback->stream, cudaSuccess, callback->data);
        },
        callback.get());
    if (error == cudaSuccess)
      (void)callback.release();
    return error;
  });
}

CUFORT_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream,
                                          void (*function)(void *),
                                          void *data) {
  return onDevice(
      [&](Engine &e) { return e.callHost(stream, function, data); });
}

/// For cudafor: a number for a stream that is kept in a small integer.
CUFORT_API int __cufort_number_stream(cudaStream_t stream) {
  int number = 0;
  recordError(catchExhaustion([&] {
    number = numberStream(stream);
    return cudaSuccess;
  }));
  return number;
}
