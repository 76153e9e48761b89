//===- query.cpp - cudafor: devices, streams and events -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Routines with an argument of any integer kind, and the properties of devices.
//
//===----------------------------------------------------------------------===//

#include "Descriptor.h"

using namespace cudafor;

extern "C" {

int __cudafor_cudaMemGetInfo(const Descriptor *free, const Descriptor *total) {
  size_t freeBytes, totalBytes;
  if (int error = cudaMemGetInfo(&freeBytes, &totalBytes))
    return error;
  return writeCount(free, freeBytes) && writeCount(total, totalBytes)
             ? Success
             : InvalidValue;
}

int __cudafor_cudaStreamDestroy(const Descriptor *stream) {
  return cudaStreamDestroy(readStream(stream));
}

int __cudafor_cudaStreamSynchronize(const Descriptor *stream) {
  return cudaStreamSynchronize(readStream(stream));
}

int __cudafor_cudaStreamQuery(const Descriptor *stream) {
  return cudaStreamQuery(readStream(stream));
}

int __cudafor_cudaStreamWaitEvent(const Descriptor *stream, Event event,
                                  const int *flags) {
  return cudaStreamWaitEvent(readStream(stream), event, flags ? *flags : 0);
}

int __cudafor_cudaEventRecord(Event event, const Descriptor *stream) {
  return cudaEventRecord(event, readStream(stream));
}

/// The name, padded with blanks, and the memory of a device. Of the CUDA
/// runtime's structure only these two are read: they are where they are in
/// every version of CUDA, and everything else is a device attribute.
int __cudafor_DeviceName(char *name, int length, int64_t *memory, int device) {
  constexpr size_t NameBytes = 256, MemoryOffset = 288, StructureBytes = 4096;
  alignas(16) char properties[StructureBytes];
  if (int error = cudaGetDeviceProperties(properties, device))
    return error;
  size_t used = strnlen(properties, NameBytes);
  if (used > static_cast<size_t>(length))
    used = static_cast<size_t>(length);
  std::memset(name, ' ', static_cast<size_t>(length));
  std::memcpy(name, properties, used);
  std::memcpy(memory, properties + MemoryOffset, sizeof(*memory));
  return Success;
}

} // extern "C"
