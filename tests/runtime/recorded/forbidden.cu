//===- forbidden.cu - calls while a stream captures ------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Capture.h"
#include "Recording.h"
#include <cuda_profiler_api.h>

/// In each mode of a capture, by the thread that captures.
static void forbidden() {
  allocateStreams();
  cudaEvent_t event;
  SETUP(cudaEventCreate(&event));
  SETUP(cudaEventRecord(event, second));
  cudaGraph_t graph;
  cudaGraphExec_t executable, another;
  cudaGraphNode_t node;
  SETUP(cudaGraphCreate(&graph, 0));
  SETUP(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
  SETUP(cudaGraphInstantiate(&executable, graph, 0));
  cudaStream_t made;
  cudaFuncAttributes attributes;
  size_t bytes;
  cudaPointerAttributes pointerAttributes;
  cudaArray_t array;
  auto real = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaStreamAttrValue attribute{};
  static int answer;

  IN_CAPTURE(cudaStreamSynchronize(stream));
  IN_CAPTURE(cudaStreamQuery(stream));
  IN_CAPTURE(cudaDeviceSynchronize());
  IN_CAPTURE(cudaStreamSynchronize(second));
  IN_CAPTURE(cudaStreamQuery(second));
  IN_CAPTURE(cudaStreamSynchronize(nullptr));
  IN_CAPTURE(cudaStreamQuery(nullptr));
  IN_CAPTURE(cudaStreamSynchronize(nonBlocking));
  IN_CAPTURE(cudaEventQuery(event));
  IN_CAPTURE(cudaEventSynchronize(event));
  IN_CAPTURE(cudaEventRecord(event, nullptr));
  IN_CAPTURE(cudaEventRecord(event, nonBlocking));
  IN_CAPTURE(cudaEventCreate(&event));
  IN_CAPTURE(cudaEventDestroy(event));
  SETUP(cudaEventCreate(&event));
  SETUP(cudaEventRecord(event, second));

  IN_CAPTURE(cudaMalloc(&pointer, 16));
  IN_CAPTURE(cudaFree(device));
  SETUP(cudaMalloc(&device, 4096));
  IN_CAPTURE(cudaFree(nullptr));
  IN_CAPTURE(cudaMallocHost(&pointer, 16));
  IN_CAPTURE(cudaFreeHost(pointer));
  IN_CAPTURE(cudaMallocManaged(&pointer, 16));
  IN_CAPTURE(cudaHostRegister(pageable, 4096, 0));
  IN_CAPTURE(cudaHostUnregister(pageable));
  cudaHostUnregister(pageable);
  cudaGetLastError();
  IN_CAPTURE(cudaMallocPitch(&pointer, &bytes, 16, 16));
  IN_CAPTURE(cudaMallocArray(&array, &real, 4, 4));
  IN_CAPTURE(cudaMallocAsync(&pointer, 16, stream));
  IN_CAPTURE(cudaMallocAsync(&pointer, 16, second));
  IN_CAPTURE(cudaMallocAsync(&pointer, 16, nullptr));
  IN_CAPTURE(cudaMemGetInfo(&bytes, &bytes));
  IN_CAPTURE(cudaPointerGetAttributes(&pointerAttributes, device));
  IN_CAPTURE(cudaFuncGetAttributes(&attributes, entry(empty)));
  IN_CAPTURE(cudaFuncSetAttribute(
      entry(empty), cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  IN_CAPTURE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &answer, entry(empty), 32, 0));

  IN_CAPTURE(cudaMemcpy(device, pageable, 16, cudaMemcpyHostToDevice));
  IN_CAPTURE(cudaMemcpy(device, device + 64, 16, cudaMemcpyDeviceToDevice));
  IN_CAPTURE(cudaMemset(device, 0, 16));
  IN_CAPTURE(cudaMemsetAsync(device, 0, 16, nullptr));
  IN_CAPTURE(cudaMemsetAsync(device, 0, 16, nonBlocking));
  IN_CAPTURE(cudaMemsetAsync(device, 0, 16, second));
  IN_CAPTURE(
      cudaMemcpyAsync(device, pinned, 16, cudaMemcpyHostToDevice, nullptr));
  IN_CAPTURE(
      cudaMemcpyAsync(device, pinned, 16, cudaMemcpyHostToDevice, nonBlocking));
  IN_CAPTURE(
      cudaMemcpyAsync(device, pageable, 16, cudaMemcpyHostToDevice, stream));
  IN_CAPTURE(
      cudaMemcpyAsync(pageable, device, 16, cudaMemcpyDeviceToHost, stream));
  IN_CAPTURE(cudaMemcpy2DAsync(device, 64, pageable, 64, 16, 4,
                               cudaMemcpyHostToDevice, stream));
  IN_CAPTURE(cudaMemset2DAsync(device, 64, 0, 16, 4, stream));
  IN_CAPTURE(cudaMemcpyPeerAsync(device, 0, device + 64, 0, 16, stream));
  IN_CAPTURE(cudaMemPrefetchAsync(
      managed, 16, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, stream));
  IN_CAPTURE(cudaMemPrefetchAsync(
      managed, 16, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, second));
  IN_CAPTURE(cudaMemAdvise(managed, 16, cudaMemAdviseSetReadMostly,
                           cudaMemLocation{cudaMemLocationTypeDevice, 0}));
  IN_CAPTURE(cudaStreamAttachMemAsync(stream, (void *)managed, 0, 4));
  IN_CAPTURE(cudaStreamAttachMemAsync(second, (void *)managed, 0, 4));

  IN_CAPTURE(launch(entry(empty), 1, 1, 0, nullptr));
  IN_CAPTURE(launch(entry(empty), 1, 1, 0, nonBlocking));
  IN_CAPTURE(launch(entry(empty), 1, 1, 0, second));
  IN_CAPTURE(launch(entry(empty), 1, 2000, 0, stream));
  IN_CAPTURE(launch(entry(empty), 1, 1, 0, cudaStreamPerThread));
  IN_CAPTURE(cudaLaunchHostFunc(stream, nothing, nullptr));
  IN_CAPTURE(cudaLaunchHostFunc(nullptr, nothing, nullptr));
  IN_CAPTURE(cudaStreamAddCallback(stream, callback, nullptr, 0));
  IN_CAPTURE(cudaStreamAddCallback(nonBlocking, callback, nullptr, 0));
  IN_CAPTURE(cudaStreamCreate(&made));
  IN_CAPTURE(cudaStreamCreateWithFlags(&made, 1));
  IN_CAPTURE(cudaStreamDestroy(made));
  IN_CAPTURE(cudaStreamWaitEvent(stream, event, 0));
  IN_CAPTURE(cudaStreamWaitEvent(nonBlocking, event, 0));
  IN_CAPTURE(cudaStreamWaitEvent(nullptr, event, 0));
  IN_CAPTURE(
      cudaStreamGetAttribute(stream, cudaStreamAttributePriority, &attribute));
  IN_CAPTURE(cudaStreamGetFlags(stream, (unsigned *)&answer));
  IN_CAPTURE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  IN_CAPTURE(cudaStreamBeginCapture(second, cudaStreamCaptureModeGlobal));
  IN_CAPTURE(cudaStreamBeginCapture(second, cudaStreamCaptureModeRelaxed));
  IN_CAPTURE(cudaStreamEndCapture(second, &graph));
  IN_CAPTURE(cudaStreamEndCapture(nullptr, &graph));

  IN_CAPTURE(cudaGraphLaunch(executable, stream));
  IN_CAPTURE(cudaGraphLaunch(executable, second));
  IN_CAPTURE(cudaGraphLaunch(executable, nullptr));
  IN_CAPTURE(cudaGraphInstantiate(&another, graph, 0));
  IN_CAPTURE(cudaGraphUpload(executable, stream));
  IN_CAPTURE(cudaGraphUpload(executable, second));
  IN_CAPTURE(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
  IN_CAPTURE(cudaDeviceSetLimit(cudaLimitStackSize, 1024));
  IN_CAPTURE(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
  IN_CAPTURE(cudaSetDevice(0));
  IN_CAPTURE(cudaGetDevice(&answer));
  IN_CAPTURE(cudaPeekAtLastError());
  IN_CAPTURE(cudaMemcpyToSymbolAsync(pageable, pageable, 4, 0,
                                     cudaMemcpyHostToDevice, stream));
  IN_CAPTURE(
      cudaThreadExchangeStreamCaptureMode((cudaStreamCaptureMode *)nullptr));
  IN_CAPTURE(cudaFuncSetCacheConfig(entry(empty), cudaFuncCachePreferL1));
  IN_CAPTURE(cudaHostGetDevicePointer(&pointer, pinned, 0));
  IN_CAPTURE(cudaDeviceGetAttribute(&answer, cudaDevAttrClockRate, 0));
  IN_CAPTURE(cudaProfilerStart());
  IN_CAPTURE(cudaMemPoolTrimTo(nullptr, 0));
  IN_CAPTURE(cudaFreeAsync(device, stream));
  IN_CAPTURE(cudaFreeAsync(device, second));
  SETUP(cudaMalloc(&device, 4096));
  IN_CAPTURE(cudaStreamDestroy(nonBlocking));
  SETUP(cudaStreamCreateWithFlags(&nonBlocking, 1));
}

/// And by another thread.
static void otherThread() {
  allocateStreams();

  cudaEvent_t event;
  SETUP(cudaEventCreate(&event));
  SETUP(cudaEventRecord(event, nonBlocking));

  IN_CAPTURE(inThread([] { return cudaMalloc(&pointer, 16); }));
  IN_CAPTURE(inThread([] { return cudaStreamSynchronize(nonBlocking); }));
  IN_CAPTURE(inThread([] { return cudaDeviceSynchronize(); }));
  IN_CAPTURE(inThread([] { return cudaMemset(device, 0, 16); }));
  IN_CAPTURE(inThread([] { return launch(entry(empty), 1, 1, 0, stream); }));
  IN_CAPTURE(inThread([] { return launch(entry(empty), 1, 1, 0, nullptr); }));
  IN_CAPTURE(
      inThread([] { return launch(entry(empty), 1, 1, 0, nonBlocking); }));
  IN_CAPTURE(inThread([] { return cudaStreamQuery(nonBlocking); }));
  IN_CAPTURE(inThread([] { return cudaStreamQuery(stream); }));
  IN_CAPTURE(inThread([&] { return cudaEventQuery(event); }));
  IN_CAPTURE(inThread([] { return cudaFree(pointer); }));
  IN_CAPTURE(inThread([] {
    cudaError_t begun =
        cudaStreamBeginCapture(second, cudaStreamCaptureModeGlobal);
    cudaGraph_t graph;
    if (begun == cudaSuccess)
      cudaStreamEndCapture(second, &graph);
    return begun;
  }));
  IN_CAPTURE(inThread([] {
    cudaStreamCaptureMode relaxed = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&relaxed);
    return cudaMalloc(&pointer, 16);
  }));
}

int main(int count, char **arguments) {
  return record(count, arguments,
                {{"forbidden", forbidden}, {"otherThread", otherThread}});
}
