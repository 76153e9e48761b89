//===- HostMemory.cpp - CUDA runtime API: host and managed memory ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/core/Device.h"
#include <cstring>

using namespace cufort;

CUFORT_API cudaError_t cudaHostRegister(void *memory, size_t bytes,
                                        unsigned flags) {
  // Portable, mapped, memory of a device, read-only.
  if (!memory || !bytes || flags & ~15u)
    return recordError(cudaErrorInvalidValue);
  return onDevice(
      [&](Engine &e) { return e.registerHost(memory, bytes, flags); });
}

CUFORT_API cudaError_t cudaHostUnregister(void *memory) {
  if (!memory)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) { return e.unregisterHost(memory); });
}

CUFORT_API cudaError_t cudaHostGetFlags(unsigned *flags, void *memory) {
  if (!flags || !memory)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) { return e.hostFlags(memory, flags); });
}

CUFORT_API cudaError_t cudaHostGetDevicePointer(void **device, void *host,
                                                unsigned flags) {
  if (!device || !host || flags)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    PointerDescription d;
    const Error error = e.describe(host, &d);
    if (error != cudaSuccess)
      return error;
    if (d.type != PointerDescription::Host || !d.devicePointer)
      return cudaErrorInvalidValue;
    *device = d.devicePointer;
    return cudaSuccess;
  });
}

CUFORT_API cudaError_t cudaMemPrefetchAsync(const void *memory, size_t bytes,
                                            int device, cudaStream_t stream) {
  return onDevice(
      [&](Engine &e) { return e.prefetch(memory, bytes, device, stream); });
}

// CUDA 13 names a place instead of a device: 1 a device, 2 the host.
CUFORT_API cudaError_t cudaMemPrefetchAsync_v2(const void *memory, size_t bytes,
                                               cudaMemLocation location,
                                               unsigned flags,
                                               cudaStream_t stream) {
  const profile::Call recorded;
  if (flags || (location.type != 1 && location.type != 2))
    return recordError(cudaErrorInvalidValue);
  return cudaMemPrefetchAsync(memory, bytes,
                              location.type == 2 ? -1 : location.id, stream);
}

CUFORT_API cudaError_t cudaMemAdvise(const void *memory, size_t bytes,
                                     int advice, int device) {
  if (advice < 1 || advice > 6)
    return recordError(cudaErrorInvalidValue);
  // What is mostly read, or has no preferred place, is so for all devices.
  if (advice == 1 || advice == 2 || advice == 4)
    device = -1;
  return onDevice([&](Engine &e) {
    const Error error = e.advise(memory, bytes, advice, device);
    return error == cudaErrorInvalidDevice ? cudaErrorInvalidValue : error;
  });
}

CUFORT_API cudaError_t cudaMemAdvise_v2(const void *memory, size_t bytes,
                                        int advice, cudaMemLocation location) {
  const profile::Call recorded;
  if (location.type < 1)
    return recordError(cudaErrorInvalidValue);
  return cudaMemAdvise(memory, bytes, advice,
                       location.type == 1 ? location.id : -1);
}

CUFORT_API cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataBytes,
                                                int attribute,
                                                const void *memory,
                                                size_t bytes) {
  return onDevice([&](Engine &e) {
    return e.rangeAttribute(data, dataBytes, attribute, memory, bytes);
  });
}

CUFORT_API cudaError_t cudaMemRangeGetAttributes(void **data, size_t *dataBytes,
                                                 int *attributes, size_t count,
                                                 const void *memory,
                                                 size_t bytes) {
  const profile::Call recorded;
  if (!data || !dataBytes || !attributes || !count)
    return recordError(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i)
    if (const Error error = cudaMemRangeGetAttribute(
            data[i], dataBytes[i], attributes[i], memory, bytes);
        error != cudaSuccess)
      return error;
  return cudaSuccess;
}
