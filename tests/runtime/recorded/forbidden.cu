//===- forbidden.cu - what may be called while a stream captures ---*- CUDA
//-*-===//
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
  cudaEvent_t e;
  SETUP(cudaEventCreate(&e));
  SETUP(cudaEventRecord(e, second));
  cudaGraph_t g;
  cudaGraphExec_t x, x2;
  cudaGraphNode_t n;
  SETUP(cudaGraphCreate(&g, 0));
  SETUP(cudaGraphAddEmptyNode(&n, g, nullptr, 0));
  SETUP(cudaGraphInstantiate(&x, g, 0));
  cudaStream_t t;
  cudaFuncAttributes fa;
  size_t z;
  cudaPointerAttributes pa;
  cudaArray_t ar;
  auto d = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaStreamAttrValue av{};
  static int q;

  IN_CAPTURE(cudaStreamSynchronize(stream));
  IN_CAPTURE(cudaStreamQuery(stream));
  IN_CAPTURE(cudaDeviceSynchronize());
  IN_CAPTURE(cudaStreamSynchronize(second));
  IN_CAPTURE(cudaStreamQuery(second));
  IN_CAPTURE(cudaStreamSynchronize(nullptr));
  IN_CAPTURE(cudaStreamQuery(nullptr));
  IN_CAPTURE(cudaStreamSynchronize(nonBlocking));
  IN_CAPTURE(cudaEventQuery(e));
  IN_CAPTURE(cudaEventSynchronize(e));
  IN_CAPTURE(cudaEventRecord(e, nullptr));
  IN_CAPTURE(cudaEventRecord(e, nonBlocking));
  IN_CAPTURE(cudaEventCreate(&e));
  IN_CAPTURE(cudaEventDestroy(e));
  SETUP(cudaEventCreate(&e));
  SETUP(cudaEventRecord(e, second));

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
  IN_CAPTURE(cudaMallocPitch(&pointer, &z, 16, 16));
  IN_CAPTURE(cudaMallocArray(&ar, &d, 4, 4));
  IN_CAPTURE(cudaMallocAsync(&pointer, 16, stream));
  IN_CAPTURE(cudaMallocAsync(&pointer, 16, second));
  IN_CAPTURE(cudaMallocAsync(&pointer, 16, nullptr));
  IN_CAPTURE(cudaMemGetInfo(&z, &z));
  IN_CAPTURE(cudaPointerGetAttributes(&pa, device));
  IN_CAPTURE(cudaFuncGetAttributes(&fa, entry(empty)));
  IN_CAPTURE(cudaFuncSetAttribute(
      entry(empty), cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  IN_CAPTURE(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&q, entry(empty), 32, 0));

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
  IN_CAPTURE(cudaStreamCreate(&t));
  IN_CAPTURE(cudaStreamCreateWithFlags(&t, 1));
  IN_CAPTURE(cudaStreamDestroy(t));
  IN_CAPTURE(cudaStreamWaitEvent(stream, e, 0));
  IN_CAPTURE(cudaStreamWaitEvent(nonBlocking, e, 0));
  IN_CAPTURE(cudaStreamWaitEvent(nullptr, e, 0));
  IN_CAPTURE(cudaStreamGetAttribute(stream, cudaStreamAttributePriority, &av));
  IN_CAPTURE(cudaStreamGetFlags(stream, (unsigned *)&q));
  IN_CAPTURE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  IN_CAPTURE(cudaStreamBeginCapture(second, cudaStreamCaptureModeGlobal));
  IN_CAPTURE(cudaStreamBeginCapture(second, cudaStreamCaptureModeRelaxed));
  IN_CAPTURE(cudaStreamEndCapture(second, &g));
  IN_CAPTURE(cudaStreamEndCapture(nullptr, &g));

  IN_CAPTURE(cudaGraphLaunch(x, stream));
  IN_CAPTURE(cudaGraphLaunch(x, second));
  IN_CAPTURE(cudaGraphLaunch(x, nullptr));
  IN_CAPTURE(cudaGraphInstantiate(&x2, g, 0));
  IN_CAPTURE(cudaGraphUpload(x, stream));
  IN_CAPTURE(cudaGraphUpload(x, second));
  IN_CAPTURE(cudaGraphAddEmptyNode(&n, g, nullptr, 0));
  IN_CAPTURE(cudaDeviceSetLimit(cudaLimitStackSize, 1024));
  IN_CAPTURE(cudaDeviceGetLimit(&z, cudaLimitStackSize));
  IN_CAPTURE(cudaSetDevice(0));
  IN_CAPTURE(cudaGetDevice(&q));
  IN_CAPTURE(cudaPeekAtLastError());
  IN_CAPTURE(cudaMemcpyToSymbolAsync(pageable, pageable, 4, 0,
                                     cudaMemcpyHostToDevice, stream));
  IN_CAPTURE(
      cudaThreadExchangeStreamCaptureMode((cudaStreamCaptureMode *)nullptr));
  IN_CAPTURE(cudaFuncSetCacheConfig(entry(empty), cudaFuncCachePreferL1));
  IN_CAPTURE(cudaHostGetDevicePointer(&pointer, pinned, 0));
  IN_CAPTURE(cudaDeviceGetAttribute(&q, cudaDevAttrClockRate, 0));
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
  allocateStreams(); // what another thread may do while this one captures, by
                     // mode

  cudaEvent_t e;
  SETUP(cudaEventCreate(&e));
  SETUP(cudaEventRecord(e, nonBlocking));

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
  IN_CAPTURE(inThread([&] { return cudaEventQuery(e); }));
  IN_CAPTURE(inThread([] { return cudaFree(pointer); }));
  IN_CAPTURE(inThread([] {
    cudaError_t b_ =
        cudaStreamBeginCapture(second, cudaStreamCaptureModeGlobal);
    cudaGraph_t g_;
    if (b_ == cudaSuccess)
      cudaStreamEndCapture(second, &g_);
    return b_;
  }));
  IN_CAPTURE(inThread([] {
    cudaStreamCaptureMode m_ = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&m_);
    return cudaMalloc(&pointer, 16);
  }));
}

int main(int count, char **arguments) {
  return record(count, arguments,
                {{"forbidden", forbidden}, {"otherThread", otherThread}});
}
