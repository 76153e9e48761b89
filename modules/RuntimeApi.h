//===- RuntimeApi.h - what cudafor calls ------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CUDA runtime's C functions that the C side of cudafor calls, as
// runtime/api implements them, and the one entry point of runtime/fortran.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_MODULES_RUNTIMEAPI_H
#define CUFORT_MODULES_RUNTIMEAPI_H

#include <cstddef>

namespace cudafor {

using Stream = void *;
using Event = void *;

enum : int { Success = 0, InvalidValue = 1, MemoryAllocation = 2 };
enum : int { MemcpyDefault = 4 };

extern "C" {
int cudaMalloc(void **pointer, size_t bytes);
int cudaMallocManaged(void **pointer, size_t bytes, unsigned flags);
int cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
int cudaFree(void *pointer);
int cudaMallocHost(void **pointer, size_t bytes);
int cudaHostAlloc(void **pointer, size_t bytes, unsigned flags);
int cudaFreeHost(void *pointer);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind,
                    Stream stream);
int cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch,
                 size_t width, size_t height, int kind);
int cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from,
                      size_t fromPitch, size_t width, size_t height, int kind,
                      Stream stream);
int cudaMemset(void *to, int byte, size_t bytes);
int cudaMemsetAsync(void *to, int byte, size_t bytes, Stream stream);
int cudaMemset2D(void *to, size_t pitch, int byte, size_t width, size_t height);
int cudaMemGetInfo(size_t *free, size_t *total);
int cudaGetDeviceProperties(void *properties, int device);
int cudaStreamDestroy(Stream stream);
int cudaStreamSynchronize(Stream stream);
int cudaStreamQuery(Stream stream);
int cudaStreamWaitEvent(Stream stream, Event event, unsigned flags);
int cudaEventRecord(Event event, Stream stream);

int cudaGetSymbolAddress(void **device, const void *host);
int cudaGetLastError();
int cudaPeekAtLastError();

// Copies a descriptor to its place on the device; file and line are for the
// message of a failure.
void _FortranACUFDescriptorSync(void *device, const void *host,
                                const char *file, int line);
}

} // namespace cudafor

#endif // CUFORT_MODULES_RUNTIMEAPI_H
