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
  cudaEvent_t e, f, u, t;
  float ms = 77;
  int *flag;
  SETUP(cudaHostAlloc(&flag, 4, cudaHostAllocMapped));
  *flag = 0;

  SETUP(cudaEventCreate(&e));
  SETUP(cudaEventCreate(&f));
  SETUP(cudaEventCreateWithFlags(&u, cudaEventDisableTiming));

  CALL(cudaEventCreate(nullptr));
  CALL(cudaEventCreateWithFlags(&t, 16));
  CALL(cudaEventCreateWithFlags(&t, 4));
  CALL(cudaEventCreateWithFlags(&t, 8));
  CALL(cudaEventCreateWithFlags(nullptr, 0));
  CALL(cudaEventCreateWithFlags(nullptr, 16));
  CALL(cudaEventDestroy(nullptr));
  CALL(cudaEventRecord(nullptr, stream));
  CALL(cudaEventQuery(nullptr));
  CALL(cudaEventSynchronize(nullptr));
  CALL(cudaEventQuery(e));
  CALL(cudaEventSynchronize(e));

  CALL(cudaEventElapsedTime(nullptr, e, f));
  CALL(cudaEventElapsedTime(nullptr, e, nullptr));
  CALL(cudaEventElapsedTime(&ms, nullptr, f));
  CALL(cudaEventElapsedTime(&ms, e, nullptr));
  CALL(cudaEventElapsedTime(&ms, e, f));
  CALL(cudaEventElapsedTime(&ms, e, e));
  SETUP(cudaEventRecord(e, stream));
  SETUP(cudaStreamSynchronize(stream));
  CALL(cudaEventElapsedTime(&ms, e, f));
  CALL(cudaEventElapsedTime(&ms, f, e));
  CALL(cudaEventElapsedTime(&ms, e, u));
  SETUP(cudaEventRecord(u, stream));
  SETUP(cudaStreamSynchronize(stream));
  CALL(cudaEventElapsedTime(&ms, e, u));
  CALL(cudaEventElapsedTime(&ms, u, u));
  CALL(cudaEventElapsedTime(&ms, e, e));
  VALUE(ms);
  CALL(cudaEventElapsedTime(nullptr, e, e));

  waits<<<1, 1, 0, nonBlocking>>>(flag);
  SETUP(cudaEventRecord(f, nonBlocking));
  SETUP(cudaEventRecord(u, nonBlocking));
  CALL_ALONE(cudaEventElapsedTime(&ms, e, f));
  CALL_ALONE(cudaEventElapsedTime(&ms, f, e));
  CALL_ALONE(cudaEventElapsedTime(&ms, e, u));
  CALL_ALONE(cudaEventElapsedTime(&ms, f, f));
  CALL_ALONE(cudaEventElapsedTime(nullptr, e, f));
  CALL_ALONE(cudaEventQuery(f));
  CALL_ALONE(cudaStreamQuery(nonBlocking));
  CALL_ALONE(cudaPeekAtLastError());
  CALL_ALONE(cudaEventDestroy(f));
  *(volatile int *)flag = 1;
  SETUP(cudaDeviceSynchronize());

  CALL(cudaEventRecordWithFlags(e, stream, 0));
  CALL(cudaEventRecordWithFlags(e, stream, 1));
  CALL(cudaEventRecordWithFlags(e, stream, 2));
  CALL(cudaEventRecordWithFlags(e, stream, 99));
  CALL(cudaEventRecordWithFlags(nullptr, stream, 2));
  CALL(cudaEventRecordWithFlags(nullptr, stream, 0));
}

/// What leaves an error behind and what takes it away.
static void lastError() {
  allocateStreams();
  int *flag;
  SETUP(cudaHostAlloc(&flag, 4, 0));
  *flag = 0;
  cudaEvent_t e;
  SETUP(cudaEventCreate(&e));
  waits<<<1, 1, 0, nonBlocking>>>(flag);
  SETUP(cudaEventRecord(e, nonBlocking));
  cudaGetLastError();

  CALL_ALONE(cudaEventQuery(e));
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
