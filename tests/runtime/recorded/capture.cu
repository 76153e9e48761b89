//===- capture.cu - how captures begin and end -----------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Capture.h"
#include "Recording.h"

/// Streams that join, threads that end them, and what spoils them.
static void capture() {
  allocateStreams();
  cudaGraph_t g = (cudaGraph_t)1;
  cudaStreamCaptureStatus st;
  unsigned long long id;
  cudaEvent_t e, e2;
  SETUP(cudaEventCreate(&e));
  SETUP(cudaEventCreate(&e2));
  cudaStreamCaptureMode mo;

  CALL(cudaStreamEndCapture(stream, &g));
  VALUE((size_t)g);
  CALL(cudaStreamEndCapture(stream, nullptr));
  CALL(cudaStreamEndCapture(nullptr, &g));
  CALL(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  CALL(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal));
  CALL(cudaStreamBeginCapture(stream, (cudaStreamCaptureMode)7));
  CALL(cudaStreamBeginCapture(stream, (cudaStreamCaptureMode)-1));
  CALL(cudaStreamIsCapturing(stream, nullptr));
  CALL(cudaStreamIsCapturing(nullptr, &st));
  CALL(cudaStreamGetCaptureInfo(stream, nullptr, &id));
  CALL(cudaStreamGetCaptureInfo(stream, &st, nullptr));
  CALL(cudaThreadExchangeStreamCaptureMode(nullptr));
  mo = (cudaStreamCaptureMode)9;
  CALL(cudaThreadExchangeStreamCaptureMode(&mo));
  mo = cudaStreamCaptureModeRelaxed;
  CALL(cudaThreadExchangeStreamCaptureMode(&mo));
  VALUE(mo);
  CALL(cudaThreadExchangeStreamCaptureMode(&mo));
  VALUE(mo);

  // twice, other stream, null graph

  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CALL_ALONE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  STATE(stream);
  CALL_ALONE(cudaStreamEndCapture(second, &g));
  STATE(stream);
  CALL_ALONE(cudaStreamEndCapture(stream, nullptr));
  STATE(stream);
  g = (cudaGraph_t)1;
  CALL_ALONE(cudaStreamEndCapture(stream, &g));
  VALUE(g != nullptr);
  STATE(stream);

  // joined stream ends

  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CALL_ALONE(cudaEventRecord(e, stream));
  CALL_ALONE(cudaStreamWaitEvent(second, e, 0));
  STATE(second);
  CALL_ALONE(cudaStreamBeginCapture(second, cudaStreamCaptureModeGlobal));
  g = (cudaGraph_t)1;
  CALL_ALONE(cudaStreamEndCapture(second, &g));
  VALUE(g != nullptr);
  STATE(stream);
  STATE(second);
  CALL_ALONE(cudaStreamEndCapture(stream, &g));
  VALUE(g != nullptr);
  STATE(stream);
  STATE(second);
  drain(second);

  // unjoined without work, with work

  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CALL_ALONE(cudaEventRecord(e, stream));
  CALL_ALONE(cudaStreamWaitEvent(second, e, 0));
  g = (cudaGraph_t)1;
  CALL_ALONE(cudaStreamEndCapture(stream, &g));
  VALUE(g != nullptr);
  STATE(stream);
  STATE(second);

  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CALL_ALONE(cudaEventRecord(e, stream));
  CALL_ALONE(cudaStreamWaitEvent(second, e, 0));
  CALL_ALONE(launch(entry(empty), 1, 1, 0, second));
  g = (cudaGraph_t)1;
  CALL_ALONE(cudaStreamEndCapture(stream, &g));
  VALUE(g != nullptr);
  STATE(stream);
  STATE(second);
  drain(second);

  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  SETUP(cudaEventRecord(e, stream));
  SETUP(cudaStreamWaitEvent(second, e, 0));
  SETUP(launch(entry(empty), 1, 1, 0, second));
  SETUP(cudaEventRecord(e2, second));
  SETUP(cudaStreamWaitEvent(stream, e2, 0));
  SETUP(launch(entry(empty), 1, 1, 0, second));
  g = (cudaGraph_t)1;
  CALL_ALONE(cudaStreamEndCapture(stream, &g));
  VALUE(g != nullptr);
  drain(second);

  // other thread ends, in each mode

  for (int mode = 0; mode < 3; ++mode) {
    SETUP(cudaStreamBeginCapture(stream, (cudaStreamCaptureMode)mode));
    g = (cudaGraph_t)1;
    cudaError_t er = inThread([&] { return cudaStreamEndCapture(stream, &g); });
    report("mode %d end by other thread -> %s graph %d", mode, errorName(er),
           g != nullptr);
    STATE(stream);
    CALL_ALONE(cudaStreamEndCapture(stream, &g));
    STATE(stream);
    drain(stream);
  }

  // captured event, from outside

  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  SETUP(cudaEventRecord(e, stream));
  CALL_ALONE(cudaEventQuery(e));
  STATE(stream);
  drain(stream);
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  SETUP(cudaEventRecord(e, stream));
  CALL_ALONE(cudaEventSynchronize(e));
  STATE(stream);
  drain(stream);
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  SETUP(cudaEventRecord(e, stream));
  float ms;
  CALL_ALONE(cudaEventElapsedTime(&ms, e, e));
  STATE(stream);
  drain(stream);
  CALL_ALONE(cudaEventQuery(e));
  CALL_ALONE(cudaStreamWaitEvent(second, e, 0));
  CALL_ALONE(cudaEventSynchronize(e));
  CALL_ALONE(cudaEventElapsedTime(&ms, e, e));

  SETUP(cudaEventRecord(e2, second));
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CALL_ALONE(cudaStreamWaitEvent(stream, e2, 0));
  STATE(stream);
  drain(stream);
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CALL_ALONE(cudaStreamWaitEvent(stream, e2, cudaEventWaitExternal));
  STATE(stream);
  CALL_ALONE(cudaEventRecordWithFlags(e2, stream, cudaEventRecordExternal));
  STATE(stream);
  drain(stream);

  // two captures merged

  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  SETUP(cudaStreamBeginCapture(second, cudaStreamCaptureModeRelaxed));
  SETUP(cudaEventRecord(e, stream));
  CALL_ALONE(cudaStreamWaitEvent(second, e, 0));
  STATE(stream);
  STATE(second);
  CALL_ALONE(cudaStreamEndCapture(stream, &g));
  CALL_ALONE(cudaStreamEndCapture(second, &g));

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

  cudaGraph_t gg;
  SETUP(cudaGraphCreate(&gg, 0));
  CALL(cudaStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0,
                                     cudaStreamCaptureModeGlobal));
  CALL(cudaStreamBeginCaptureToGraph(stream, gg, nullptr, nullptr, 1,
                                     cudaStreamCaptureModeGlobal));
  CALL(cudaStreamBeginCaptureToGraph(stream, gg, nullptr, nullptr, 0,
                                     (cudaStreamCaptureMode)7));
  CALL(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 0));
  CALL(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 9));
  SETUP(cudaStreamBeginCaptureToGraph(stream, gg, nullptr, nullptr, 0,
                                      cudaStreamCaptureModeGlobal));
  CALL_ALONE(cudaGraphDestroy(gg));
  CALL_ALONE(
      cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 1, 0));
  CALL_ALONE(
      cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 9));
  CALL_ALONE(cudaStreamEndCapture(stream, &g));
  VALUE(g == gg);
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"capture", capture}});
}
