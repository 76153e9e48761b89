//===- allocate.cpp - cudafor: allocating and freeing ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocatable arrays get their descriptors established here; counts of elements
// become bytes.
//
//===----------------------------------------------------------------------===//

#include "Descriptor.h"

using namespace cudafor;

namespace {

/// The descriptor of an allocatable module variable has a twin on the device,
/// which must say the same; that of any other variable has none.
void syncDescriptor(const Descriptor *d) {
  int before = cudaPeekAtLastError();
  void *twin;
  if (cudaGetSymbolAddress(&twin, d) == Success)
    _FortranACUFDescriptorSync(twin, d, nullptr, 0);
  else if (before == Success)
    cudaGetLastError(); // "no such symbol" is no error of the program
}

/// Makes \p d the array of \p first times \p second elements at \p address, of
/// extent one in all further dimensions, the leading dimension \p pitch.
void establish(Descriptor *d, void *address, size_t first, size_t second,
               size_t pitch, size_t third = 1) {
  d->base_addr = address;
  CFI_index_t stride = static_cast<CFI_index_t>(d->elem_len);
  for (int i = 0; i < d->rank; ++i) {
    size_t extent = i == 0 ? first : i == 1 ? second : i == 2 ? third : 1;
    d->dim[i].lower_bound = 1;
    d->dim[i].extent = static_cast<CFI_index_t>(extent);
    d->dim[i].sm = stride;
    stride *= static_cast<CFI_index_t>(i == 0 ? pitch : extent);
  }
  syncDescriptor(d);
}

/// Allocates \p count elements for \p d with \p allocate(void **, bytes).
template <typename Allocate>
int allocateArray(Descriptor *d, const Descriptor *count, Allocate allocate) {
  size_t elements, bytes;
  if (d->base_addr || !readCount(count, elements))
    return refused(InvalidValue);
  if (!byteCount(elements, d->elem_len, bytes))
    return refused(MemoryAllocation);
  void *address = nullptr;
  if (int error = allocate(&address, bytes))
    return error;
  establish(d, address, elements, 1, elements);
  return Success;
}

/// Frees \p d with \p release(void *).
template <typename Release> int freeArray(Descriptor *d, Release release) {
  if (!d->base_addr)
    return Success;
  if (int error = release(d->base_addr))
    return error;
  d->base_addr = nullptr;
  syncDescriptor(d);
  return Success;
}

/// Allocates raw bytes with \p allocate(void **, bytes).
template <typename Allocate>
int allocateBytes(void **pointer, const Descriptor *count, Allocate allocate) {
  size_t bytes;
  if (!readCount(count, bytes))
    return refused(InvalidValue);
  return allocate(pointer, bytes);
}

} // namespace

extern "C" {

int __cudafor_cudaMalloc(Descriptor *d, const Descriptor *count) {
  const Routine routine("cudaMalloc");
  return allocateArray(d, count, cudaMalloc);
}

int __cudafor_cudaMallocBytes(void **pointer, const Descriptor *count) {
  return allocateBytes(pointer, count, cudaMalloc);
}

int __cudafor_cudaMallocManaged(Descriptor *d, const Descriptor *count,
                                const int *flags) {
  const Routine routine("cudaMallocManaged");
  return allocateArray(d, count, [&](void **pointer, size_t bytes) {
    return cudaMallocManaged(pointer, bytes, flags ? *flags : 1);
  });
}

int __cudafor_cudaMallocManagedBytes(void **pointer, const Descriptor *count,
                                     const int *flags) {
  return allocateBytes(pointer, count, [&](void **p, size_t bytes) {
    return cudaMallocManaged(p, bytes, flags ? *flags : 1);
  });
}

int __cudafor_cudaMallocPitch(Descriptor *d, const Descriptor *pitch,
                              const Descriptor *width,
                              const Descriptor *height) {
  const Routine routine("cudaMallocPitch");
  size_t columns, rows, bytes, pitchBytes;
  if (d->base_addr || d->rank != 2 || !readCount(width, columns) ||
      !readCount(height, rows) || !byteCount(columns, d->elem_len, bytes))
    return refused(InvalidValue);
  void *address = nullptr;
  if (int error = cudaMallocPitch(&address, &pitchBytes, bytes, rows))
    return error;
  // The pitch is given in elements; one that is no multiple cannot be named.
  if (pitchBytes % d->elem_len ||
      !writeCount(pitch, pitchBytes / d->elem_len)) {
    cudaFree(address);
    return refused(InvalidValue);
  }
  establish(d, address, pitchBytes / d->elem_len, rows,
            pitchBytes / d->elem_len);
  return Success;
}

int __cudafor_cudaMallocPitchBytes(void **pointer, const Descriptor *pitch,
                                   const Descriptor *width,
                                   const Descriptor *height) {
  size_t columns, rows, pitchBytes;
  if (!readCount(width, columns) || !readCount(height, rows))
    return refused(InvalidValue);
  if (int error = cudaMallocPitch(pointer, &pitchBytes, columns, rows))
    return error;
  return writeCount(pitch, pitchBytes) ? Success : refused(InvalidValue);
}

int __cudafor_cudaMallocAsync(Descriptor *d, const Descriptor *count,
                              const Descriptor *stream) {
  const Routine routine("cudaMallocAsync");
  return allocateArray(d, count, [&](void **pointer, size_t bytes) {
    return cudaMallocAsync(pointer, bytes, readStream(stream));
  });
}

int __cudafor_cudaMallocAsyncBytes(void **pointer, const Descriptor *count,
                                   const Descriptor *stream) {
  return allocateBytes(pointer, count, [&](void **p, size_t bytes) {
    return cudaMallocAsync(p, bytes, readStream(stream));
  });
}

int __cudafor_cudaMallocFromPoolAsync(void **pointer, const Descriptor *count,
                                      Pool pool, const Descriptor *stream) {
  return allocateBytes(pointer, count, [&](void **p, size_t bytes) {
    return cudaMallocFromPoolAsync(p, bytes, pool, readStream(stream));
  });
}

int __cudafor_cudaFreeAsync(Descriptor *d, const Descriptor *stream) {
  const Routine routine("cudaFreeAsync");
  return freeArray(
      d, [&](void *p) { return cudaFreeAsync(p, readStream(stream)); });
}

int __cudafor_cudaFreeAsyncBytes(void *pointer, const Descriptor *stream) {
  return cudaFreeAsync(pointer, readStream(stream));
}

// The pitch of an array of Fortran is its extent.
int __cudafor_cudaMalloc3D(Descriptor *d, Extent extent) {
  const Routine routine("cudaMalloc3D");
  size_t bytes;
  if (d->base_addr || d->rank != 3)
    return refused(InvalidValue);
  if (!byteCount(extent.width, d->elem_len, bytes) ||
      !byteCount(bytes, extent.height, bytes) ||
      !byteCount(bytes, extent.depth, bytes))
    return refused(MemoryAllocation);
  void *address = nullptr;
  if (int error = cudaMalloc(&address, bytes))
    return error;
  establish(d, address, extent.width, extent.height, extent.width,
            extent.depth);
  return Success;
}

int __cudafor_cudaFree(Descriptor *d) {
  const Routine routine("cudaFree");
  return freeArray(d, cudaFree);
}

int __cudafor_cudaMallocHost(void **pointer, const Descriptor *size) {
  return allocateBytes(pointer, size, cudaMallocHost);
}

int __cudafor_cudaMallocHostArray(Descriptor *d, const Descriptor *size) {
  const Routine routine("cudaMallocHost");
  return allocateArray(d, size, cudaMallocHost);
}

int __cudafor_cudaHostAlloc(void **pointer, const Descriptor *size, int flags) {
  return allocateBytes(pointer, size, [&](void **p, size_t bytes) {
    return cudaHostAlloc(p, bytes, flags);
  });
}

int __cudafor_cudaFreeHostArray(Descriptor *d) {
  const Routine routine("cudaFreeHost");
  return freeArray(d, cudaFreeHost);
}

} // extern "C"
