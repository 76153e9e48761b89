//===- Captures.cpp - what captures of streams cannot contain -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/engine/Captures.h"
#include "runtime/core/engine/Graphs.h"

using namespace cufort;

Error cufort::refuseInCapture(Engine &engine, StreamHandle stream) {
  CaptureInformation capture;
  const Error error = engine.graphs().captureInformation(stream, &capture);
  // To ask how far the stream is does both.
  return error != cudaSuccess || capture.status == CaptureStatus::None
             ? error
             : engine.queryStream(stream);
}

Error cufort::launchOn(Engine &engine, const KernelReference &kernel,
                       const LaunchConfiguration &configuration,
                       void *const *parameters) {
  const Error error = engine.launch(kernel, configuration, parameters);
  if (error == cudaErrorInvalidConfiguration ||
      error == cudaErrorInvalidClusterSize)
    refuseInCapture(engine, configuration.stream);
  return error;
}
