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
  cudaStream_t made = nullptr;
  unsigned flags;
  unsigned long long id;
  cudaEvent_t event;
  SETUP(cudaEventCreate(&event));

  CALL(cudaStreamCreate(nullptr));
  CALL(cudaStreamCreateWithFlags(&made, 2));
  CALL(cudaStreamCreateWithFlags(&made, 99));
  CALL(cudaStreamCreateWithFlags(nullptr, 0));
  CALL(cudaStreamCreateWithPriority(nullptr, 0, 0));
  CALL(cudaStreamCreateWithPriority(&made, 2, 0));
  CALL(cudaStreamCreateWithPriority(&made, 0, -100));
  int priority = 9;
  CALL(cudaStreamGetPriority(made, &priority));
  VALUE(priority);
  CALL(cudaStreamCreateWithPriority(&made, 0, 100));
  CALL(cudaStreamGetPriority(made, &priority));
  VALUE(priority);
  CALL(cudaStreamDestroy(nullptr));
  CALL(cudaStreamDestroy(cudaStreamLegacy));
  CALL(cudaStreamDestroy(cudaStreamPerThread));
  CALL(cudaStreamGetPriority(stream, nullptr));
  CALL(cudaStreamGetPriority(nullptr, &priority));
  VALUE(priority);
  CALL(cudaStreamGetFlags(stream, nullptr));
  CALL(cudaStreamGetFlags(nullptr, &flags));
  VALUE(flags);
  CALL(cudaStreamGetFlags(cudaStreamPerThread, &flags));
  VALUE(flags);
  CALL(cudaStreamGetFlags(nonBlocking, &flags));
  VALUE(flags);
  CALL(cudaStreamGetId(stream, nullptr));
  CALL(cudaStreamGetId(nullptr, &id));
  VALUE(id);
  CALL(cudaStreamGetId(cudaStreamLegacy, &id));
  CALL(cudaStreamGetId(cudaStreamPerThread, &id));
  VALUE(id);
  CALL(cudaStreamGetDevice(stream, nullptr));
  CALL(cudaStreamGetDevice(nullptr, &priority));
  VALUE(priority);

  CALL(cudaStreamWaitEvent(stream, event, 0));
  CALL(cudaStreamWaitEvent(stream, event, 1));
  CALL(cudaStreamWaitEvent(stream, event, 2));
  CALL(cudaStreamWaitEvent(stream, event, 8));
  CALL(cudaStreamWaitEvent(stream, nullptr, 0));
  CALL(cudaStreamWaitEvent(stream, nullptr, 8));
  CALL(cudaStreamWaitEvent(nullptr, event, 0));

  CALL(cudaStreamAddCallback(stream, nullptr, nullptr, 0));
  CALL(cudaStreamAddCallback(stream, callback, nullptr, 1));
  CALL(cudaStreamAddCallback(stream, callback, nullptr, 0));
  CALL(cudaLaunchHostFunc(stream, nullptr, nullptr));
  CALL(cudaLaunchHostFunc(nullptr, nothing, nullptr));
  CALL(cudaStreamQuery(nullptr));
  CALL(cudaStreamSynchronize(cudaStreamPerThread));

  cudaStreamAttrValue attribute{};
  CALL(cudaStreamGetAttribute(stream, (cudaStreamAttrID)99, &attribute));
  CALL(cudaStreamGetAttribute(stream, cudaStreamAttributePriority, nullptr));
  CALL(cudaStreamGetAttribute(stream, cudaStreamAttributePriority, &attribute));
  CALL(cudaStreamSetAttribute(stream, (cudaStreamAttrID)99, &attribute));
  CALL(cudaStreamSetAttribute(stream, cudaStreamAttributePriority, nullptr));
  attribute.priority = 77;
  CALL(cudaStreamSetAttribute(stream, cudaStreamAttributePriority, &attribute));
  attribute.syncPolicy = (cudaSynchronizationPolicy)9;
  CALL(cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy,
                              &attribute));
  CALL(cudaStreamSetAttribute(
      stream, (cudaStreamAttrID)cudaLaunchAttributeClusterDimension,
      &attribute));
  CALL(cudaStreamCopyAttributes(stream, second));
  CALL(cudaStreamCopyAttributes(stream, nullptr));
  CALL(cudaStreamCopyAttributes(nullptr, stream));
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"streams", streams}});
}
