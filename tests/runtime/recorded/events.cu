//===- events.cu - events, and the last error ------------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "Work.h"

/// Events that have and have not been recorded or reached.
static void events() {
  allocateStreams();
  cudaEvent_t event, later, untimed, made;
  float milliseconds = 77;
  int *flag;
  SETUP(cudaHostAlloc(&flag, 4, cudaHostAllocMapped));
  *flag = 0;

  SETUP(cudaEventCreate(&event));
  SETUP(cudaEventCreate(&later));
  SETUP(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));

  CALL(cudaEventCreate(nullptr));
  CALL(cudaEventCreateWithFlags(&made, 16));
  CALL(cudaEventCreateWithFlags(&made, 4));
  CALL(cudaEventCreateWithFlags(&made, 8));
  CALL(cudaEventCreateWithFlags(nullptr, 0));
  CALL(cudaEventCreateWithFlags(nullptr, 16));
  CALL(cudaEventDestroy(nullptr));
  CALL(cudaEventRecord(nullptr, stream));
  CALL(cudaEventQuery(nullptr));
  CALL(cudaEventSynchronize(nullptr));
  CALL(cudaEventQuery(event));
  CALL(cudaEventSynchronize(event));

  CALL(cudaEventElapsedTime(nullptr, event, later));
  CALL(cudaEventElapsedTime(nullptr, event, nullptr));
  CALL(cudaEventElapsedTime(&milliseconds, nullptr, later));
  CALL(cudaEventElapsedTime(&milliseconds, event, nullptr));
  CALL(cudaEventElapsedTime(&milliseconds, event, later));
  CALL(cudaEventElapsedTime(&milliseconds, event, event));
  SETUP(cudaEventRecord(event, stream));
  SETUP(cudaStreamSynchronize(stream));
  CALL(cudaEventElapsedTime(&milliseconds, event, later));
  CALL(cudaEventElapsedTime(&milliseconds, later, event));
  CALL(cudaEventElapsedTime(&milliseconds, event, untimed));
  SETUP(cudaEventRecord(untimed, stream));
  SETUP(cudaStreamSynchronize(stream));
  CALL(cudaEventElapsedTime(&milliseconds, event, untimed));
  CALL(cudaEventElapsedTime(&milliseconds, untimed, untimed));
  CALL(cudaEventElapsedTime(&milliseconds, event, event));
  VALUE(milliseconds);
  CALL(cudaEventElapsedTime(nullptr, event, event));

  waits<<<1, 1, 0, nonBlocking>>>(flag);
  SETUP(cudaEventRecord(later, nonBlocking));
  SETUP(cudaEventRecord(untimed, nonBlocking));
  CALL_ALONE(cudaEventElapsedTime(&milliseconds, event, later));
  CALL_ALONE(cudaEventElapsedTime(&milliseconds, later, event));
  CALL_ALONE(cudaEventElapsedTime(&milliseconds, event, untimed));
  CALL_ALONE(cudaEventElapsedTime(&milliseconds, later, later));
  CALL_ALONE(cudaEventElapsedTime(nullptr, event, later));
  CALL_ALONE(cudaEventQuery(later));
  CALL_ALONE(cudaStreamQuery(nonBlocking));
  CALL_ALONE(cudaPeekAtLastError());
  CALL_ALONE(cudaEventDestroy(later));
  *(volatile int *)flag = 1;
  SETUP(cudaDeviceSynchronize());

  CALL(cudaEventRecordWithFlags(event, stream, 0));
  CALL(cudaEventRecordWithFlags(event, stream, 1));
  CALL(cudaEventRecordWithFlags(event, stream, 2));
  CALL(cudaEventRecordWithFlags(event, stream, 99));
  CALL(cudaEventRecordWithFlags(nullptr, stream, 2));
  CALL(cudaEventRecordWithFlags(nullptr, stream, 0));
}

/// What leaves an error behind and what takes it away.
static void lastError() {
  allocateStreams();
  int *flag;
  SETUP(cudaHostAlloc(&flag, 4, 0));
  *flag = 0;
  cudaEvent_t event;
  SETUP(cudaEventCreate(&event));
  waits<<<1, 1, 0, nonBlocking>>>(flag);
  SETUP(cudaEventRecord(event, nonBlocking));
  cudaGetLastError();

  CALL_ALONE(cudaEventQuery(event));
  CALL_ALONE(cudaStreamQuery(nonBlocking));
  report("peek -> %s", errorName(cudaPeekAtLastError()));
  *(volatile int *)flag = 1;
  SETUP(cudaDeviceSynchronize());

  cudaSetDevice(99);
  report("after wrong -> %s", errorName(cudaPeekAtLastError()));
  SETUP(cudaSetDevice(0));
  report("after right -> %s", errorName(cudaPeekAtLastError()));
  report("get -> %s", errorName(cudaGetLastError()));
  report("get again -> %s", errorName(cudaGetLastError()));

  cudaMalloc(&pointer, Huge);
  empty<<<1, 1>>>();
  report("launch after error -> %s", errorName(cudaGetLastError()));
  empty<<<1, 2000>>>();
  report("sync after wrong launch -> %s", errorName(cudaDeviceSynchronize()));
  report("get -> %s", errorName(cudaGetLastError()));
  empty<<<1, 2000>>>();
  report("peer thread sees -> %s",
         errorName(inThread([] { return cudaPeekAtLastError(); })));
  report("get -> %s", errorName(cudaGetLastError()));

  cudaMemset(nullptr, 0, 4);
  cudaSetDevice(99);
  report("two errors -> %s", errorName(cudaGetLastError()));

  cudaDeviceCanAccessPeer(&number, 0, 0);
  report("freed nullptr -> %s %s", errorName(cudaFree(nullptr)),
         errorName(cudaGetLastError()));
}

int main(int count, char **arguments) {
  return record(count, arguments,
                {{"events", events}, {"lastError", lastError}});
}
