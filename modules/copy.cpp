//===- copy.cpp - cudafor: copies -----------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which memory an address belongs to the runtime knows (cudaMemcpyDefault), so
// the optional direction of a copy is only passed on where it is given.
//
//===----------------------------------------------------------------------===//

#include "Sections.h"

using namespace cudafor;

namespace {

/// What counts count: elements, or bytes where one of the two is a raw address.
size_t elementOf(const Buffer &to, const Buffer &from) {
  return to.element < from.element ? to.element : from.element;
}

/// The bytes that \p count elements of both buffers are.
int countBytes(const Buffer &to, const Buffer &from, const Descriptor *count,
               size_t &bytes) {
  size_t elements;
  if (!readCount(count, elements))
    return refused(InvalidValue);
  return byteCount(elements, elementOf(to, from), bytes)
             ? Success
             : refused(InvalidValue);
}

/// The same for what is copied later: a section with gaps is refused, because
/// nobody would be there to move its elements.
int copyBytes(const Buffer &to, const Buffer &from, const Descriptor *count,
              size_t &bytes) {
  if (!to.contiguous || !from.contiguous)
    return refused(InvalidValue);
  return countBytes(to, from, count, bytes);
}

int kindOf(const int *direction) {
  return direction ? *direction : MemcpyDefault;
}

template <typename Copy>
int copyRows(const Descriptor *dst, const Descriptor *dpitch,
             const Descriptor *src, const Descriptor *spitch,
             const Descriptor *width, const Descriptor *height, Copy copy) {
  Buffer to = readBuffer(dst), from = readBuffer(src);
  size_t toPitch, fromPitch, columns, rows;
  if (!readCount(dpitch, toPitch) || !readCount(spitch, fromPitch) ||
      !readCount(width, columns) || !readCount(height, rows))
    return refused(InvalidValue);
  size_t element = elementOf(to, from);
  if (!byteCount(toPitch, element, toPitch) ||
      !byteCount(fromPitch, element, fromPitch) ||
      !byteCount(columns, element, columns))
    return refused(InvalidValue);
  return copy(to.address, toPitch, from.address, fromPitch, columns, rows);
}

} // namespace

extern "C" {

int __cudafor_cudaMemcpy(const Descriptor *dst, const Descriptor *src,
                         const Descriptor *count, const int *kdir) {
  const Routine routine("cudaMemcpy");
  Buffer to = readBuffer(dst), from = readBuffer(src);
  size_t bytes;
  if (int error = countBytes(to, from, count, bytes))
    return error;
  if (!to.contiguous || !from.contiguous)
    return copySections(*dst, to, *src, from, bytes, kindOf(kdir));
  return cudaMemcpy(to.address, from.address, bytes, kindOf(kdir));
}

int __cudafor_cudaMemcpyAsync(const Descriptor *dst, const Descriptor *src,
                              const Descriptor *count, const int *kdir,
                              const Descriptor *stream) {
  Buffer to = readBuffer(dst), from = readBuffer(src);
  size_t bytes;
  if (int error = copyBytes(to, from, count, bytes))
    return error;
  return cudaMemcpyAsync(to.address, from.address, bytes, kindOf(kdir),
                         readStream(stream));
}

int __cudafor_cudaMemcpyAsyncStream(const Descriptor *dst,
                                    const Descriptor *src,
                                    const Descriptor *count, int64_t stream) {
  Buffer to = readBuffer(dst), from = readBuffer(src);
  size_t bytes;
  if (int error = copyBytes(to, from, count, bytes))
    return error;
  return cudaMemcpyAsync(to.address, from.address, bytes, MemcpyDefault,
                         reinterpret_cast<Stream>(stream));
}

int __cudafor_cudaMemcpy2D(const Descriptor *dst, const Descriptor *dpitch,
                           const Descriptor *src, const Descriptor *spitch,
                           const Descriptor *width, const Descriptor *height,
                           const int *kdir) {
  return copyRows(dst, dpitch, src, spitch, width, height,
                  [&](void *to, size_t toPitch, const void *from,
                      size_t fromPitch, size_t columns, size_t rows) {
                    return cudaMemcpy2D(to, toPitch, from, fromPitch, columns,
                                        rows, kindOf(kdir));
                  });
}

int __cudafor_cudaMemcpy2DAsync(const Descriptor *dst, const Descriptor *dpitch,
                                const Descriptor *src, const Descriptor *spitch,
                                const Descriptor *width,
                                const Descriptor *height, const int *kdir,
                                const Descriptor *stream) {
  return copyRows(dst, dpitch, src, spitch, width, height,
                  [&](void *to, size_t toPitch, const void *from,
                      size_t fromPitch, size_t columns, size_t rows) {
                    return cudaMemcpy2DAsync(to, toPitch, from, fromPitch,
                                             columns, rows, kindOf(kdir),
                                             readStream(stream));
                  });
}

} // extern "C"
