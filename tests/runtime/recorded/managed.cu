//===- managed.cu - managed memory -----------------------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"

/// Where it is to be, what is known of it, and streams it belongs to.
static void managedMemory() {
  allocate();
  cudaMemLocation here{cudaMemLocationTypeDevice, 0},
      nowhere{cudaMemLocationTypeDevice, 77},
      negative{cudaMemLocationTypeDevice, -5},
      onHost{cudaMemLocationTypeHost, 0},
      invalid{cudaMemLocationTypeInvalid, 0},
      unknown{(cudaMemLocationType)99, 0};

  CALL(cudaMemPrefetchAsync(device, 16, here, 0, stream));
  CALL(cudaMemPrefetchAsync(pageable, 16, here, 0, stream));
  CALL(cudaMemPrefetchAsync(pinned, 16, here, 0, stream));
  CALL(cudaMemPrefetchAsync(nullptr, 16, here, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 0, here, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 16, here, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 4097, here, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 1 << 22, here, 0, stream));
  CALL(cudaMemPrefetchAsync(managed + 4096, 16, here, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 16, nowhere, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 16, negative, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 16, onHost, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 16, invalid, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 16, unknown, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 16, here, 1, stream));
  CALL(cudaMemPrefetchAsync(pageable, 16, nowhere, 0, stream));
  CALL(cudaMemPrefetchAsync(device, 16, nowhere, 0, stream));

  CALL(cudaMemAdvise(managed, 16, (cudaMemoryAdvise)0, here));
  CALL(cudaMemAdvise(managed, 16, (cudaMemoryAdvise)7, here));
  CALL(cudaMemAdvise(managed, 16, (cudaMemoryAdvise)99, here));
  CALL(cudaMemAdvise(device, 16, cudaMemAdviseSetReadMostly, here));
  CALL(cudaMemAdvise(pageable, 16, cudaMemAdviseSetReadMostly, here));
  CALL(cudaMemAdvise(pinned, 16, cudaMemAdviseSetReadMostly, here));
  CALL(cudaMemAdvise(nullptr, 16, cudaMemAdviseSetReadMostly, here));
  CALL(cudaMemAdvise(managed, 0, cudaMemAdviseSetReadMostly, here));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseSetReadMostly, here));
  CALL(cudaMemAdvise(managed, 4097, cudaMemAdviseSetReadMostly, here));
  CALL(cudaMemAdvise(managed, 1 << 22, cudaMemAdviseSetReadMostly, here));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseSetReadMostly, nowhere));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseUnsetReadMostly, invalid));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseSetPreferredLocation, nowhere));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseSetPreferredLocation, onHost));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseSetPreferredLocation, invalid));
  CALL(
      cudaMemAdvise(managed, 16, cudaMemAdviseUnsetPreferredLocation, nowhere));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseSetAccessedBy, nowhere));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseSetAccessedBy, onHost));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseSetAccessedBy, invalid));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseUnsetAccessedBy, here));

  int answers[4];
  size_t sizes[2] = {4, 4};
  cudaMemRangeAttribute wanted[2] = {cudaMemRangeAttributeReadMostly,
                                     (cudaMemRangeAttribute)99};
  void *data[2] = {answers, answers + 1};

  CALL(cudaMemRangeGetAttribute(nullptr, 4, cudaMemRangeAttributeReadMostly,
                                managed, 16));
  CALL(cudaMemRangeGetAttribute(answers, 3, cudaMemRangeAttributeReadMostly,
                                managed, 16));
  CALL(cudaMemRangeGetAttribute(answers, 8, cudaMemRangeAttributeReadMostly,
                                managed, 16));
  CALL(cudaMemRangeGetAttribute(answers, 0, cudaMemRangeAttributeReadMostly,
                                managed, 16));
  CALL(cudaMemRangeGetAttribute(answers, 4, wanted[1], managed, 16));
  CALL(cudaMemRangeGetAttribute(answers, 4, cudaMemRangeAttributeReadMostly,
                                pageable, 16));
  CALL(cudaMemRangeGetAttribute(answers, 4, cudaMemRangeAttributeReadMostly,
                                device, 16));
  CALL(cudaMemRangeGetAttribute(answers, 4, cudaMemRangeAttributeReadMostly,
                                managed, 0));
  CALL(cudaMemRangeGetAttribute(answers, 4, cudaMemRangeAttributeReadMostly,
                                managed, 4097));
  CALL(cudaMemRangeGetAttribute(answers, 5, cudaMemRangeAttributeAccessedBy,
                                managed, 16));
  CALL(cudaMemRangeGetAttribute(answers, 16, cudaMemRangeAttributeAccessedBy,
                                managed, 16));
  CALL(cudaMemRangeGetAttribute(
      answers, 4, cudaMemRangeAttributeLastPrefetchLocation, managed, 16));
  VALUE(answers[0]);

  CALL(cudaMemRangeGetAttributes(data, sizes, wanted, 2, managed, 16));
  CALL(cudaMemRangeGetAttributes(data, sizes, wanted, 1, managed, 16));
  CALL(cudaMemRangeGetAttributes(data, sizes, wanted, 0, managed, 16));
  CALL(cudaMemRangeGetAttributes(nullptr, sizes, wanted, 1, managed, 16));
  CALL(cudaMemRangeGetAttributes(data, nullptr, wanted, 1, managed, 16));
  CALL(cudaMemRangeGetAttributes(data, sizes, nullptr, 1, managed, 16));
  CALL(cudaMemRangeGetAttributes(data, sizes, wanted, 1, pageable, 16));

  CALL(cudaStreamAttachMemAsync(stream, device, 0, 4));
  CALL(cudaStreamAttachMemAsync(stream, pageable, 0, 4));
  CALL(cudaStreamAttachMemAsync(stream, (void *)managed, 0, 3));
  CALL(cudaStreamAttachMemAsync(stream, (void *)managed, 0, 0));
  CALL(cudaStreamAttachMemAsync(stream, (void *)managed, 16, 4));
  CALL(cudaStreamAttachMemAsync(stream, (void *)managed, 4096, 4));
  CALL(cudaStreamAttachMemAsync(stream, (void *)(managed + 1), 0, 4));
  CALL(cudaStreamAttachMemAsync(nullptr, (void *)managed, 0, 4));
  CALL(cudaStreamAttachMemAsync(stream, (void *)managed, 0, 1));
  CALL(cudaStreamAttachMemAsync(stream, (void *)managed, 0, 2));
  CALL(cudaStreamAttachMemAsync(stream, (void *)nullptr, 0, 4));
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"managedMemory", managedMemory}});
}
