//===- Memory.cpp - CUDA runtime API: memory ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/Direction.h"
#include "runtime/check/Allocations.h"
#include "runtime/core/Device.h"

using namespace cufort;

static cudaError_t
allocate(void **memory, size_t bytes, MemoryKind kind,
         const std::source_location &where = std::source_location::current()) {
  if (!memory)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) { return e.allocate(memory, bytes, kind); },
                  where);
}

CUFORT_API cudaError_t cudaMalloc(void **memory, size_t bytes) {
  return allocate(memory, bytes, MemoryKind::Device);
}

CUFORT_API cudaError_t cudaMallocManaged(void **memory, size_t bytes,
                                         unsigned flags) {
  if (flags != 1 && flags != 2)
    return recordError(cudaErrorInvalidValue);
  if (!bytes && memory) {
    *memory = nullptr;
    return cudaSuccess;
  }
  return allocate(memory, bytes, MemoryKind::Managed);
}

CUFORT_API cudaError_t cudaHostAlloc(void **memory, size_t bytes,
                                     unsigned flags) {
  // Portable, mapped and write-combined are hints where addresses are unified.
  if (bytes && flags & ~7u)
    return recordError(cudaErrorInvalidValue);
  if (!memory)
    return recordError(cudaErrorInvalidValue);
  if (!bytes) {
    *memory = nullptr;
    return cudaSuccess;
  }
  return onDevice(
      [&](Engine &e) { return e.allocateHost(memory, bytes, flags); });
}

CUFORT_API cudaError_t cudaMallocHost(void **memory, size_t bytes) {
  const profile::Call recorded;
  return cudaHostAlloc(memory, bytes, 0);
}

/// Rows 512 bytes apart or a multiple, as textures want.
CUFORT_API cudaError_t cudaMallocPitch(void **memory, size_t *pitch,
                                       size_t width, size_t height) {
  if (!pitch)
    return recordError(cudaErrorInvalidValue);
  *pitch = (width + 511) / 512 * 512;
  size_t bytes;
  if (*pitch < width || __builtin_mul_overflow(*pitch, height, &bytes)) {
    if (memory)
      *memory = nullptr;
    return recordError(cudaErrorInvalidValue);
  }
  if (!bytes)
    *pitch = 0;
  return allocate(memory, bytes, MemoryKind::Device);
}

CUFORT_API cudaError_t cudaFree(void *memory) {
  return onDevice([&](Engine &e) {
    return check::checkFree(e.release(memory, MemoryKind::Device), memory,
                            "cudaFree");
  });
}

CUFORT_API cudaError_t cudaFreeHost(void *memory) {
  return onDevice([&](Engine &e) {
    return check::checkFree(e.release(memory, MemoryKind::Pinned), memory,
                            "cudaFreeHost");
  });
}

CUFORT_API cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  return onDevice([&](Engine &e) {
    size_t unused;
    return e.memoryInformation(free ? free : &unused, total ? total : &unused);
  });
}

CUFORT_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *result,
                                                const void *pointer) {
  if (!result)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    PointerDescription d;
    Error error = e.describe(pointer, &d);
    if (error == cudaSuccess)
      *result = {d.type, d.device, d.devicePointer, d.hostPointer, {}};
    return error;
  });
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                                  cudaMemcpyKind kind) {
  return directed(to, from, bytes, kind,
                  [&](Engine &e) { return e.copy(to, from, bytes, kind); });
}

CUFORT_API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                       cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return directed(to, from, bytes, kind, [&](Engine &e) {
    return e.copyAsync(to, from, bytes, kind, stream);
  });
}

/// Of a 2-D copy; a single row has no pitch, but one that is too small is still
/// an error.
static Error checkPitches(size_t *toPitch, size_t *fromPitch, size_t width,
                          size_t height) {
  if (!width || !height)
    return cudaSuccess;
  for (size_t *pitch : {toPitch, fromPitch}) {
    if (width > *pitch && (*pitch || height > 1))
      return height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue;
    if (height == 1)
      *pitch = width;
  }
  return cudaSuccess;
}

CUFORT_API cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from,
                                    size_t fromPitch, size_t width,
                                    size_t height, cudaMemcpyKind kind) {
  if (Error error = checkPitches(&toPitch, &fromPitch, width, height);
      error != cudaSuccess)
    return recordError(error);
  return directed(to, from, size_t(width && height), kind, [&](Engine &e) {
    return e.copy2D(to, toPitch, from, fromPitch, width, height, kind, nullptr,
                    false);
  });
}

CUFORT_API cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch,
                                         const void *from, size_t fromPitch,
                                         size_t width, size_t height,
                                         cudaMemcpyKind kind,
                                         cudaStream_t stream) {
  if (Error error = checkPitches(&toPitch, &fromPitch, width, height);
      error != cudaSuccess)
    return recordError(error);
  return directed(to, from, size_t(width && height), kind, [&](Engine &e) {
    return e.copy2D(to, toPitch, from, fromPitch, width, height, kind, stream,
                    true);
  });
}

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

/// Managed and page-locked memory has been filled when a call returns that does
/// not say that it is asynchronous. On a GPU the driver sees to it.
static cudaError_t finishFill(
    cudaError_t error, const void *to,
    const std::source_location &where = std::source_location::current()) {
  const profile::Call recorded(where);
  if (error != cudaSuccess)
    return error;
  return onDevice([&](Engine &e) {
    PointerDescription d{};
    if (!e.deviceMemoryIsHostMemory() || e.describe(to, &d) != cudaSuccess ||
        !d.hostPointer)
      return Error(cudaSuccess);
    return e.synchronizeStream(nullptr);
  });
}

CUFORT_API cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes,
                                       cudaStream_t stream) {
  const auto byte = static_cast<unsigned char>(value);
  return filled(to, bytes,
                [&](Engine &e) { return e.fill(to, &byte, 1, bytes, stream); });
}

/// For cudafor: \p count copies of \p patternBytes bytes, which is device data.
CUFORT_API cudaError_t __cufort_fill_async(void *to, const void *pattern,
                                           size_t patternBytes, size_t count,
                                           cudaStream_t stream) {
  return filled(to, count, [&](Engine &e) {
    return e.fill(to, pattern, patternBytes, count, stream);
  });
}

/// The same, which without a stream waits as cudaMemset does.
CUFORT_API cudaError_t __cufort_fill(void *to, const void *pattern,
                                     size_t patternBytes, size_t count,
                                     cudaStream_t stream) {
  const cudaError_t error =
      __cufort_fill_async(to, pattern, patternBytes, count, stream);
  return stream ? error : finishFill(error, to);
}

CUFORT_API cudaError_t cudaMemset(void *to, int value, size_t bytes) {
  const profile::Call recorded;
  return finishFill(cudaMemsetAsync(to, value, bytes, nullptr), to);
}

CUFORT_API cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value,
                                         size_t width, size_t height,
                                         cudaStream_t stream) {
  const auto byte = static_cast<unsigned char>(value);
  if (height == 1)
    pitch = width;
  else if (width > pitch && height)
    return recordError(cudaErrorInvalidValue);
  return filled(to, size_t(width && height), [&](Engine &e) {
    return e.fill2D(to, pitch, byte, width, height, stream);
  });
}

CUFORT_API cudaError_t cudaMemset2D(void *to, size_t pitch, int value,
                                    size_t width, size_t height) {
  const profile::Call recorded;
  return finishFill(cudaMemset2DAsync(to, pitch, value, width, height, nullptr),
                    to);
}
