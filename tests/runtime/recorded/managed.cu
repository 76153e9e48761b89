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
  cudaMemLocation dev{cudaMemLocationTypeDevice, 0},
      no{cudaMemLocationTypeDevice, 77}, neg{cudaMemLocationTypeDevice, -5},
      hst{cudaMemLocationTypeHost, 0}, inv{cudaMemLocationTypeInvalid, 0},
      odd{(cudaMemLocationType)99, 0};

  CALL(cudaMemPrefetchAsync(device, 16, dev, 0, stream));
  CALL(cudaMemPrefetchAsync(pageable, 16, dev, 0, stream));
  CALL(cudaMemPrefetchAsync(pinned, 16, dev, 0, stream));
  CALL(cudaMemPrefetchAsync(nullptr, 16, dev, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 0, dev, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 16, dev, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 4097, dev, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 1 << 22, dev, 0, stream));
  CALL(cudaMemPrefetchAsync(managed + 4096, 16, dev, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 16, no, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 16, neg, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 16, hst, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 16, inv, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 16, odd, 0, stream));
  CALL(cudaMemPrefetchAsync(managed, 16, dev, 1, stream));
  CALL(cudaMemPrefetchAsync(pageable, 16, no, 0, stream));
  CALL(cudaMemPrefetchAsync(device, 16, no, 0, stream));

  CALL(cudaMemAdvise(managed, 16, (cudaMemoryAdvise)0, dev));
  CALL(cudaMemAdvise(managed, 16, (cudaMemoryAdvise)7, dev));
  CALL(cudaMemAdvise(managed, 16, (cudaMemoryAdvise)99, dev));
  CALL(cudaMemAdvise(device, 16, cudaMemAdviseSetReadMostly, dev));
  CALL(cudaMemAdvise(pageable, 16, cudaMemAdviseSetReadMostly, dev));
  CALL(cudaMemAdvise(pinned, 16, cudaMemAdviseSetReadMostly, dev));
  CALL(cudaMemAdvise(nullptr, 16, cudaMemAdviseSetReadMostly, dev));
  CALL(cudaMemAdvise(managed, 0, cudaMemAdviseSetReadMostly, dev));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseSetReadMostly, dev));
  CALL(cudaMemAdvise(managed, 4097, cudaMemAdviseSetReadMostly, dev));
  CALL(cudaMemAdvise(managed, 1 << 22, cudaMemAdviseSetReadMostly, dev));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseSetReadMostly, no));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseUnsetReadMostly, inv));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseSetPreferredLocation, no));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseSetPreferredLocation, hst));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseSetPreferredLocation, inv));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseUnsetPreferredLocation, no));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseSetAccessedBy, no));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseSetAccessedBy, hst));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseSetAccessedBy, inv));
  CALL(cudaMemAdvise(managed, 16, cudaMemAdviseUnsetAccessedBy, dev));

  int n[4];
  size_t sz[2] = {4, 4};
  cudaMemRangeAttribute at[2] = {cudaMemRangeAttributeReadMostly,
                                 (cudaMemRangeAttribute)99};
  void *data[2] = {n, n + 1};

  CALL(cudaMemRangeGetAttribute(nullptr, 4, cudaMemRangeAttributeReadMostly,
                                managed, 16));
  CALL(cudaMemRangeGetAttribute(n, 3, cudaMemRangeAttributeReadMostly, managed,
                                16));
  CALL(cudaMemRangeGetAttribute(n, 8, cudaMemRangeAttributeReadMostly, managed,
                                16));
  CALL(cudaMemRangeGetAttribute(n, 0, cudaMemRangeAttributeReadMostly, managed,
                                16));
  CALL(cudaMemRangeGetAttribute(n, 4, at[1], managed, 16));
  CALL(cudaMemRangeGetAttribute(n, 4, cudaMemRangeAttributeReadMostly, pageable,
                                16));
  CALL(cudaMemRangeGetAttribute(n, 4, cudaMemRangeAttributeReadMostly, device,
                                16));
  CALL(cudaMemRangeGetAttribute(n, 4, cudaMemRangeAttributeReadMostly, managed,
                                0));
  CALL(cudaMemRangeGetAttribute(n, 4, cudaMemRangeAttributeReadMostly, managed,
                                4097));
  CALL(cudaMemRangeGetAttribute(n, 5, cudaMemRangeAttributeAccessedBy, managed,
                                16));
  CALL(cudaMemRangeGetAttribute(n, 16, cudaMemRangeAttributeAccessedBy, managed,
                                16));
  CALL(cudaMemRangeGetAttribute(n, 4, cudaMemRangeAttributeLastPrefetchLocation,
                                managed, 16));
  VALUE(n[0]);

  CALL(cudaMemRangeGetAttributes(data, sz, at, 2, managed, 16));
  CALL(cudaMemRangeGetAttributes(data, sz, at, 1, managed, 16));
  CALL(cudaMemRangeGetAttributes(data, sz, at, 0, managed, 16));
  CALL(cudaMemRangeGetAttributes(nullptr, sz, at, 1, managed, 16));
  CALL(cudaMemRangeGetAttributes(data, nullptr, at, 1, managed, 16));
  CALL(cudaMemRangeGetAttributes(data, sz, nullptr, 1, managed, 16));
  CALL(cudaMemRangeGetAttributes(data, sz, at, 1, pageable, 16));

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
