//===- capture.cu - how captures begin and end -----------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Capture.h"
#include "Recording.h"

/// Begins a capture that the second stream joins.
static void captureBoth(cudaEvent_t event) {
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CALL_ALONE(cudaEventRecord(event, stream));
  CALL_ALONE(cudaStreamWaitEvent(second, event, 0));
}

static void endBoth() {
  auto graph = (cudaGraph_t)1;
  CALL_ALONE(cudaStreamEndCapture(stream, &graph));
  VALUE(graph != nullptr);
  STATE(stream);
  STATE(second);
}

/// Streams that join, threads that end them, and what spoils them.
static void capture() {
  allocateStreams();
  cudaGraph_t graph = (cudaGraph_t)1;
  cudaStreamCaptureStatus status;
  unsigned long long id;
  cudaEvent_t event, later;
  SETUP(cudaEventCreate(&event));
  SETUP(cudaEventCreate(&later));
  cudaStreamCaptureMode exchanged;

  CALL(cudaStreamEndCapture(stream, &graph));
  VALUE((size_t)graph);
  CALL(cudaStreamEndCapture(stream, nullptr));
  CALL(cudaStreamEndCapture(nullptr, &graph));
  CALL(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  CALL(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal));
  CALL(cudaStreamBeginCapture(stream, (cudaStreamCaptureMode)7));
  CALL(cudaStreamBeginCapture(stream, (cudaStreamCaptureMode)-1));
  CALL(cudaStreamIsCapturing(stream, nullptr));
  CALL(cudaStreamIsCapturing(nullptr, &status));
  CALL(cudaStreamGetCaptureInfo(stream, nullptr, &id));
  CALL(cudaStreamGetCaptureInfo(stream, &status, nullptr));
  CALL(cudaThreadExchangeStreamCaptureMode(nullptr));
  exchanged = (cudaStreamCaptureMode)9;
  CALL(cudaThreadExchangeStreamCaptureMode(&exchanged));
  exchanged = cudaStreamCaptureModeRelaxed;
  CALL(cudaThreadExchangeStreamCaptureMode(&exchanged));
  VALUE(exchanged);
  CALL(cudaThreadExchangeStreamCaptureMode(&exchanged));
  VALUE(exchanged);

  // Begun twice, ended by the other stream, and without a place for the graph.
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CALL_ALONE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  STATE(stream);
  CALL_ALONE(cudaStreamEndCapture(second, &graph));
  STATE(stream);
  CALL_ALONE(cudaStreamEndCapture(stream, nullptr));
  STATE(stream);
  graph = (cudaGraph_t)1;
  CALL_ALONE(cudaStreamEndCapture(stream, &graph));
  VALUE(graph != nullptr);
  STATE(stream);

  // The stream that joined ends it.
  captureBoth(event);
  STATE(second);
  CALL_ALONE(cudaStreamBeginCapture(second, cudaStreamCaptureModeGlobal));
  graph = (cudaGraph_t)1;
  CALL_ALONE(cudaStreamEndCapture(second, &graph));
  VALUE(graph != nullptr);
  STATE(stream);
  STATE(second);
  CALL_ALONE(cudaStreamEndCapture(stream, &graph));
  VALUE(graph != nullptr);
  STATE(stream);
  STATE(second);
  drain(second);

  // The stream that joined does not come back: without work, and with it.
  captureBoth(event);
  endBoth();

  captureBoth(event);
  CALL_ALONE(launch(entry(empty), 1, 1, 0, second));
  endBoth();
  drain(second);

  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  SETUP(cudaEventRecord(event, stream));
  SETUP(cudaStreamWaitEvent(second, event, 0));
  SETUP(launch(entry(empty), 1, 1, 0, second));
  SETUP(cudaEventRecord(later, second));
  SETUP(cudaStreamWaitEvent(stream, later, 0));
  SETUP(launch(entry(empty), 1, 1, 0, second));
  graph = (cudaGraph_t)1;
  CALL_ALONE(cudaStreamEndCapture(stream, &graph));
  VALUE(graph != nullptr);
  drain(second);

  // Another thread ends it, in each mode.
  for (int mode = 0; mode < 3; ++mode) {
    SETUP(cudaStreamBeginCapture(stream, (cudaStreamCaptureMode)mode));
    graph = (cudaGraph_t)1;
    cudaError_t error =
        inThread([&] { return cudaStreamEndCapture(stream, &graph); });
    report("mode %d end by other thread -> %s graph %d", mode, errorName(error),
           graph != nullptr);
    STATE(stream);
    CALL_ALONE(cudaStreamEndCapture(stream, &graph));
    STATE(stream);
    drain(stream);
  }

  // An event of the capture, from outside.
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  SETUP(cudaEventRecord(event, stream));
  CALL_ALONE(cudaEventQuery(event));
  STATE(stream);
  drain(stream);
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  SETUP(cudaEventRecord(event, stream));
  CALL_ALONE(cudaEventSynchronize(event));
  STATE(stream);
  drain(stream);
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  SETUP(cudaEventRecord(event, stream));
  float milliseconds;
  CALL_ALONE(cudaEventElapsedTime(&milliseconds, event, event));
  STATE(stream);
  drain(stream);
  CALL_ALONE(cudaEventQuery(event));
  CALL_ALONE(cudaStreamWaitEvent(second, event, 0));
  CALL_ALONE(cudaEventSynchronize(event));
  CALL_ALONE(cudaEventElapsedTime(&milliseconds, event, event));

  SETUP(cudaEventRecord(later, second));
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CALL_ALONE(cudaStreamWaitEvent(stream, later, 0));
  STATE(stream);
  drain(stream);
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CALL_ALONE(cudaStreamWaitEvent(stream, later, cudaEventWaitExternal));
  STATE(stream);
  CALL_ALONE(cudaEventRecordWithFlags(later, stream, cudaEventRecordExternal));
  STATE(stream);
  drain(stream);

  // One capture waits for another.
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  SETUP(cudaStreamBeginCapture(second, cudaStreamCaptureModeRelaxed));
  SETUP(cudaEventRecord(event, stream));
  CALL_ALONE(cudaStreamWaitEvent(second, event, 0));
  STATE(stream);
  STATE(second);
  CALL_ALONE(cudaStreamEndCapture(stream, &graph));
  CALL_ALONE(cudaStreamEndCapture(second, &graph));

  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CALL_ALONE(launch(nullptr, 1, 1, 0, stream));
  STATE(stream);
  CALL_ALONE(launch(entry(empty), 1, 2000, 0, stream));
  STATE(stream);
  CALL_ALONE(cudaMemcpyAsync(device, pageable, 16, cudaMemcpyKind(9), stream));
  STATE(stream);
  CALL_ALONE(
      cudaMemcpyAsync(device, pageable, 16, cudaMemcpyHostToDevice, stream));
  STATE(stream);
  CALL_ALONE(
      cudaMemcpyAsync(device, pageable, 5000, cudaMemcpyHostToDevice, stream));
  STATE(stream);
  CALL_ALONE(cudaMemsetAsync(device, 0, 5000, stream));
  STATE(stream);
  CALL_ALONE(cudaMemset2DAsync(device, 8, 0, 9, 2, stream));
  STATE(stream);
  CALL_ALONE(cudaFreeAsync(device, stream));
  STATE(stream);
  CALL_ALONE(cudaFreeAsync(pageable, stream));
  STATE(stream);
  CALL_ALONE(cudaStreamDestroy(stream));
  drain(stream);
  SETUP(cudaStreamCreate(&stream));

  cudaGraph_t filled;
  SETUP(cudaGraphCreate(&filled, 0));
  CALL(cudaStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0,
                                     cudaStreamCaptureModeGlobal));
  CALL(cudaStreamBeginCaptureToGraph(stream, filled, nullptr, nullptr, 1,
                                     cudaStreamCaptureModeGlobal));
  CALL(cudaStreamBeginCaptureToGraph(stream, filled, nullptr, nullptr, 0,
                                     (cudaStreamCaptureMode)7));
  CALL(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 0));
  CALL(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 9));
  SETUP(cudaStreamBeginCaptureToGraph(stream, filled, nullptr, nullptr, 0,
                                      cudaStreamCaptureModeGlobal));
  CALL_ALONE(cudaGraphDestroy(filled));
  CALL_ALONE(
      cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 1, 0));
  CALL_ALONE(
      cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 9));
  CALL_ALONE(cudaStreamEndCapture(stream, &graph));
  VALUE(graph == filled);
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"capture", capture}});
}
