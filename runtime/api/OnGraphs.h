//===- OnGraphs.h - calls for a device's graphs -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_API_ONGRAPHS_H
#define CUFORT_RUNTIME_API_ONGRAPHS_H

#include "runtime/api/RuntimeApi.h"
#include "runtime/core/Device.h"
#include "runtime/core/Graphs.h"

namespace cufort {

/// Calls \p call(Graphs &) for the thread's device.
template <typename Call> cudaError_t onGraphs(Call call) {
  return onDevice([&](Engine &e) { return call(e.graphs()); });
}

/// The error of what cannot become a part of a capture where \p stream takes
/// part in one, which it makes invalid: to ask how far the stream is does both.
inline Error refuseInCapture(Engine &e, cudaStream_t stream) {
  CaptureInformation capture;
  const Error error = e.graphs().captureInformation(stream, &capture);
  return error != cudaSuccess || capture.status == CaptureStatus::None
             ? error
             : e.queryStream(stream);
}

} // namespace cufort

#endif // CUFORT_RUNTIME_API_ONGRAPHS_H
