//===- streams.cu - streams ------------------------------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "Work.h"

/// Flags, priorities, attributes and what they wait for.
static void streams() {
  allocateStreams();
  cudaStream_t t = nullptr;
  unsigned fl;
  unsigned long long id;
  cudaEvent_t e;
  SETUP(cudaEventCreate(&e));

  CALL(cudaStreamCreate(nullptr));
  CALL(cudaStreamCreateWithFlags(&t, 2));
  CALL(cudaStreamCreateWithFlags(&t, 99));
  CALL(cudaStreamCreateWithFlags(nullptr, 0));
  CALL(cudaStreamCreateWithPriority(nullptr, 0, 0));
  CALL(cudaStreamCreateWithPriority(&t, 2, 0));
  CALL(cudaStreamCreateWithPriority(&t, 0, -100));
  int pr = 9;
  CALL(cudaStreamGetPriority(t, &pr));
  VALUE(pr);
  CALL(cudaStreamCreateWithPriority(&t, 0, 100));
  CALL(cudaStreamGetPriority(t, &pr));
  VALUE(pr);
  CALL(cudaStreamDestroy(nullptr));
  CALL(cudaStreamDestroy(cudaStreamLegacy));
  CALL(cudaStreamDestroy(cudaStreamPerThread));
  CALL(cudaStreamGetPriority(stream, nullptr));
  CALL(cudaStreamGetPriority(nullptr, &pr));
  VALUE(pr);
  CALL(cudaStreamGetFlags(stream, nullptr));
  CALL(cudaStreamGetFlags(nullptr, &fl));
  VALUE(fl);
  CALL(cudaStreamGetFlags(cudaStreamPerThread, &fl));
  VALUE(fl);
  CALL(cudaStreamGetFlags(nonBlocking, &fl));
  VALUE(fl);
  CALL(cudaStreamGetId(stream, nullptr));
  CALL(cudaStreamGetId(nullptr, &id));
  VALUE(id);
  CALL(cudaStreamGetId(cudaStreamLegacy, &id));
  CALL(cudaStreamGetId(cudaStreamPerThread, &id));
  VALUE(id);
  CALL(cudaStreamGetDevice(stream, nullptr));
  CALL(cudaStreamGetDevice(nullptr, &pr));
  VALUE(pr);

  CALL(cudaStreamWaitEvent(stream, e, 0));
  CALL(cudaStreamWaitEvent(stream, e, 1));
  CALL(cudaStreamWaitEvent(stream, e, 2));
  CALL(cudaStreamWaitEvent(stream, e, 8));
  CALL(cudaStreamWaitEvent(stream, nullptr, 0));
  CALL(cudaStreamWaitEvent(stream, nullptr, 8));
  CALL(cudaStreamWaitEvent(nullptr, e, 0));

  CALL(cudaStreamAddCallback(stream, nullptr, nullptr, 0));
  CALL(cudaStreamAddCallback(stream, callback, nullptr, 1));
  CALL(cudaStreamAddCallback(stream, callback, nullptr, 0));
  CALL(cudaLaunchHostFunc(stream, nullptr, nullptr));
  CALL(cudaLaunchHostFunc(nullptr, nothing, nullptr));
  CALL(cudaStreamQuery(nullptr));
  CALL(cudaStreamSynchronize(cudaStreamPerThread));

  cudaStreamAttrValue av{};
  CALL(cudaStreamGetAttribute(stream, (cudaStreamAttrID)99, &av));
  CALL(cudaStreamGetAttribute(stream, cudaStreamAttributePriority, nullptr));
  CALL(cudaStreamGetAttribute(stream, cudaStreamAttributePriority, &av));
  CALL(cudaStreamSetAttribute(stream, (cudaStreamAttrID)99, &av));
  CALL(cudaStreamSetAttribute(stream, cudaStreamAttributePriority, nullptr));
  av.priority = 77;
  CALL(cudaStreamSetAttribute(stream, cudaStreamAttributePriority, &av));
  av.syncPolicy = (cudaSynchronizationPolicy)9;
  CALL(cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy,
                              &av));
  CALL(cudaStreamSetAttribute(
      stream, (cudaStreamAttrID)cudaLaunchAttributeClusterDimension, &av));
  CALL(cudaStreamCopyAttributes(stream, second));
  CALL(cudaStreamCopyAttributes(stream, nullptr));
  CALL(cudaStreamCopyAttributes(nullptr, stream));
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"streams", streams}});
}
