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
             : refused(InvalidValue);
}

/// A cudaDataType.
int __cudafor_cudaforGetDataType(const Descriptor *array) {
  switch (array->type) {
  case CFI_type_half_float:
    return 2;
  case CFI_type_half_float_Complex:
    return 6;
  case CFI_type_bfloat:
    return 14;
  case CFI_type_bfloat_Complex:
    return 15;
  case CFI_type_float:
    return 0;
  case CFI_type_float_Complex:
    return 4;
  case CFI_type_double:
    return 1;
  case CFI_type_double_Complex:
    return 5;
  case CFI_type_signed_char:
  case CFI_type_int8_t:
    return 3;
  case CFI_type_short:
  case CFI_type_int16_t:
    return 20;
  case CFI_type_int:
  case CFI_type_int32_t:
    return 10;
  case CFI_type_long:
  case CFI_type_long_long:
  case CFI_type_int64_t:
    return 24;
  default:
    return -1;
  }
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

// The number of a stream in an integer too small for a handle.
static int createStream(const Descriptor *result, unsigned flags,
                        int priority) {
  Stream stream = nullptr;
  if (int error = cudaStreamCreateWithPriority(&stream, flags, priority))
    return error;
  const size_t number =
      result->elem_len == 8
          ? reinterpret_cast<size_t>(stream)
          : static_cast<size_t>(__cufort_number_stream(stream));
  if (number && writeCount(result, number))
    return Success;
  cudaStreamDestroy(stream);
  return refused(InvalidValue);
}

int __cudafor_cudaStreamCreate(const Descriptor *stream) {
  const Routine routine("cudaStreamCreate");
  return createStream(stream, 0, 0);
}

int __cudafor_cudaStreamCreateWithFlags(const Descriptor *stream, int flags) {
  const Routine routine("cudaStreamCreateWithFlags");
  return createStream(stream, static_cast<unsigned>(flags), 0);
}

int __cudafor_cudaStreamCreateWithPriority(const Descriptor *stream, int flags,
                                           int priority) {
  const Routine routine("cudaStreamCreateWithPriority");
  return createStream(stream, static_cast<unsigned>(flags), priority);
}

int __cudafor_cudaStreamGetPriority(const Descriptor *stream, int *priority) {
  return cudaStreamGetPriority(readStream(stream), priority);
}

int __cudafor_cudaStreamGetFlags(const Descriptor *stream, unsigned *flags) {
  return cudaStreamGetFlags(readStream(stream), flags);
}

int __cudafor_cudaStreamAttachMemAsync(const Descriptor *stream,
                                       const Descriptor *devptr,
                                       const Descriptor *length,
                                       const int *flags) {
  Buffer buffer = readBuffer(devptr);
  size_t elements = 0, bytes;
  if ((length && !readCount(length, elements)) ||
      !byteCount(elements, buffer.element, bytes))
    return refused(InvalidValue);
  return cudaStreamAttachMemAsync(readStream(stream), buffer.address, bytes,
                                  flags ? *flags : 4);
}

int __cudafor_cudaStreamAddCallback(const Descriptor *stream,
                                    void (*call)(Stream, int, void *),
                                    void *data, int flags) {
  return cudaStreamAddCallback(readStream(stream), call, data, flags);
}

int __cudafor_cudaLaunchHostFunc(const Descriptor *stream, void (*call)(void *),
                                 void *data) {
  return cudaLaunchHostFunc(readStream(stream), call, data);
}

int __cudafor_cudaforSetDefaultStream(const Descriptor *stream) {
  return _FortranACUFSetDefaultStream(readStream(stream));
}

int __cudafor_cudaforSetArrayStream(const Descriptor *devptr,
                                    const Descriptor *stream) {
  Buffer buffer = readBuffer(devptr);
  if (!buffer.contiguous)
    return refused(InvalidValue);
  size_t bytes = buffer.element;
  for (int i = 0; i < devptr->rank; ++i)
    bytes *= static_cast<size_t>(devptr->dim[i].extent);
  return _FortranACUFSetAssociatedStream(buffer.address, bytes,
                                         readStream(stream));
}

Stream __cudafor_cudaforGetArrayStream(const Descriptor *devptr) {
  return _FortranACUFGetAssociatedStream(readBuffer(devptr).address);
}

int __cudafor_cudaDeviceGetLimit(const Descriptor *value, int limit) {
  size_t bytes;
  if (int error = cudaDeviceGetLimit(&bytes, limit))
    return error;
  return writeCount(value, bytes) ? Success : refused(InvalidValue);
}

int __cudafor_cudaDeviceSetLimit(int limit, const Descriptor *value) {
  size_t bytes;
  return readCount(value, bytes) ? cudaDeviceSetLimit(limit, bytes)
                                 : refused(InvalidValue);
}

// The guide (4.6) wants an error for an event that has never been recorded.
static int unlessRecorded(Event event) {
  int recorded = 0;
  if (int error = __cufort_event_recorded(event, &recorded))
    return error;
  return recorded ? Success : refused(InvalidValue);
}

int __cudafor_cudaEventQuery(Event event) {
  const Routine routine("cudaEventQuery");
  int error = unlessRecorded(event);
  return error ? error : cudaEventQuery(event);
}

int __cudafor_cudaEventSynchronize(Event event) {
  const Routine routine("cudaEventSynchronize");
  int error = unlessRecorded(event);
  return error ? error : cudaEventSynchronize(event);
}

int __cudafor_cudaEventElapsedTime(float *milliseconds, Event start,
                                   Event end) {
  const Routine routine("cudaEventElapsedTime");
  int error = unlessRecorded(start);
  if (!error)
    error = unlessRecorded(end);
  return error ? error : cudaEventElapsedTime(milliseconds, start, end);
}

int __cudafor_cudaEventRecordWithFlags(Event event, const Descriptor *stream,
                                       int flags) {
  return cudaEventRecordWithFlags(event, readStream(stream), flags);
}

int __cudafor_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *kernel, int threads, const Descriptor *shared,
    int flags) {
  size_t bytes;
  if (!readCount(shared, bytes))
    return refused(InvalidValue);
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, kernel, threads, bytes, flags);
}

int __cudafor_cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, const void *kernel, int threads, const Descriptor *shared) {
  const Routine routine("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return __cudafor_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, kernel, threads, shared, 0);
}

int __cudafor_cudaOccupancyMaxPotentialBlockSize(int *grid, int *block,
                                                 const void *kernel,
                                                 const Descriptor *shared,
                                                 const int *limit) {
  const Routine routine("cudaOccupancyMaxPotentialBlockSize");
  size_t bytes = 0;
  if (shared && !readCount(shared, bytes))
    return refused(InvalidValue);
  return __cufort_potential_block_size(grid, block, kernel, bytes,
                                       limit ? *limit : 0);
}

int __cudafor_cudaLaunchCooperativeKernel(const void *kernel, const Dim3 *grid,
                                          const Dim3 *block, void **parameters,
                                          const Descriptor *shared,
                                          const Descriptor *stream) {
  size_t bytes = 0;
  if (shared && !readCount(shared, bytes))
    return refused(InvalidValue);
  return cudaLaunchCooperativeKernel(kernel, *grid, *block, parameters, bytes,
                                     readStream(stream));
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
