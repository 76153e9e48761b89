//===- Capture.h - calls while a stream captures ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_TESTS_RUNTIME_RECORDED_CAPTURE_H
#define CUFORT_TESTS_RUNTIME_RECORDED_CAPTURE_H

#include "Work.h"

/// Ends the capture that a stream may be in.
inline void drain(cudaStream_t captured) {
  cudaGraph_t graph = nullptr;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(captured, &status);
  if (status != cudaStreamCaptureStatusNone)
    cudaStreamEndCapture(captured, &graph);
  if (graph)
    cudaGraphDestroy(graph);
  cudaGetLastError();
}

inline const char *state(cudaStream_t captured) {
  auto status = cudaStreamCaptureStatus(9);
  cudaError_t error = cudaStreamIsCapturing(captured, &status);
  cudaGetLastError();
  if (error != cudaSuccess)
    return errorName(error);
  switch (status) {
  case cudaStreamCaptureStatusNone:
    return "none";
  case cudaStreamCaptureStatusActive:
    return "active";
  case cudaStreamCaptureStatusInvalidated:
    return "invalidated";
  default:
    return "unknown";
  }
}

/// Whether a stream is in a capture.
#define STATE(captured) report("state of %s -> %s", #captured, state(captured))

/// What a call does to a capture of stream: its error, what the capture is
/// then, and what ending it gives.
template <typename Call> void inCapture(const char *text, int mode, Call call) {
  char label[300];
  std::snprintf(label, sizeof label, "mode %d %s", mode, text);
  if (!isCalled(label))
    return;
  SETUP(cudaStreamBeginCapture(stream, (cudaStreamCaptureMode)mode));
  cudaError_t error = call(), last = cudaGetLastError();
  const char *then = state(stream);
  cudaGraph_t graph = nullptr;
  cudaError_t end = cudaStreamEndCapture(stream, &graph);
  cudaGetLastError();
  report("%s -> %s%s%s; %s; end %s graph %d", label, errorName(error),
         last == error ? "" : " last=", last == error ? "" : errorName(last),
         then, errorName(end), graph != nullptr);
  if (graph)
    cudaGraphDestroy(graph);
  drain(second);
  drain(nonBlocking);
  SETUP(cudaDeviceSynchronize());
}

/// The same in each mode.
#define IN_CAPTURE(...)                                                        \
  for (int mode = 0; mode < 3; ++mode)                                         \
  inCapture(#__VA_ARGS__, mode, [&] { return (cudaError_t)(__VA_ARGS__); })

#endif // CUFORT_TESTS_RUNTIME_RECORDED_CAPTURE_H
