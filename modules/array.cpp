//===- array.cpp - cudafor: CUDA arrays and three-dimensional copies ------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Offsets and widths are elements of the Fortran side, between two CUDA arrays
// those of the arrays. cudaMemcpy3DParms is as in CUDA C: bytes, or elements
// where a CUDA array takes part.
//
//===----------------------------------------------------------------------===//

#include "Descriptor.h"

using namespace cudafor;

namespace {

int kindOf(const int *direction) {
  return direction ? *direction : MemcpyDefault;
}

/// Reads a count of elements of \p element bytes each.
bool readBytes(size_t element, const Descriptor *count, size_t &bytes) {
  return readCount(count, bytes) && byteCount(bytes, element, bytes);
}

/// The bytes of one element of a CUDA array.
int elementOf(Array array, size_t &bytes) {
  ChannelFormat format;
  if (int error = cudaGetChannelDesc(&format, array))
    return error;
  bytes = 0;
  for (int bits : format.bits)
    bytes += static_cast<size_t>(bits);
  bytes /= 8;
  return Success;
}

} // namespace

extern "C" {

int __cudafor_cudaMallocArray(Array *array, const ChannelFormat *format,
                              const Descriptor *width, const Descriptor *height,
                              const int *flags) {
  size_t columns, rows = 0;
  if (!readCount(width, columns) || (height && !readCount(height, rows)))
    return refused(InvalidValue);
  return cudaMallocArray(array, format, columns, rows, flags ? *flags : 0);
}

int __cudafor_cudaMalloc3DArray(Array *array, const ChannelFormat *format,
                                Extent extent, const int *flags) {
  return cudaMalloc3DArray(array, format, extent, flags ? *flags : 0);
}

int __cudafor_cudaMemcpyToArray(Array to, const Descriptor *x,
                                const Descriptor *y, const Descriptor *src,
                                const Descriptor *count, const int *kdir) {
  Buffer from = readBuffer(src);
  size_t column, row, bytes;
  if (!from.contiguous || !readBytes(from.element, x, column) ||
      !readCount(y, row) || !readBytes(from.element, count, bytes))
    return refused(InvalidValue);
  return cudaMemcpyToArray(to, column, row, from.address, bytes, kindOf(kdir));
}

int __cudafor_cudaMemcpyFromArray(const Descriptor *dst, Array from,
                                  const Descriptor *x, const Descriptor *y,
                                  const Descriptor *count, const int *kdir) {
  Buffer to = readBuffer(dst);
  size_t column, row, bytes;
  if (!to.contiguous || !readBytes(to.element, x, column) ||
      !readCount(y, row) || !readBytes(to.element, count, bytes))
    return refused(InvalidValue);
  return cudaMemcpyFromArray(to.address, from, column, row, bytes,
                             kindOf(kdir));
}

int __cudafor_cudaMemcpyArrayToArray(Array to, const Descriptor *toX,
                                     const Descriptor *toY, Array from,
                                     const Descriptor *fromX,
                                     const Descriptor *fromY,
                                     const Descriptor *count, const int *kdir) {
  size_t element, toColumn, toRow, fromColumn, fromRow, bytes;
  if (int error = elementOf(to, element))
    return error;
  if (!readBytes(element, toX, toColumn) || !readCount(toY, toRow) ||
      !readBytes(element, fromX, fromColumn) || !readCount(fromY, fromRow) ||
      !readBytes(element, count, bytes))
    return refused(InvalidValue);
  return cudaMemcpyArrayToArray(to, toColumn, toRow, from, fromColumn, fromRow,
                                bytes, kdir ? *kdir : 3);
}

int __cudafor_cudaMemcpy2DToArray(Array to, const Descriptor *x,
                                  const Descriptor *y, const Descriptor *src,
                                  const Descriptor *spitch,
                                  const Descriptor *width,
                                  const Descriptor *height, const int *kdir) {
  Buffer from = readBuffer(src);
  size_t column, row, pitch, columns, rows;
  if (!readBytes(from.element, x, column) || !readCount(y, row) ||
      !readBytes(from.element, spitch, pitch) ||
      !readBytes(from.element, width, columns) || !readCount(height, rows))
    return refused(InvalidValue);
  return cudaMemcpy2DToArray(to, column, row, from.address, pitch, columns,
                             rows, kindOf(kdir));
}

int __cudafor_cudaMemcpy2DFromArray(const Descriptor *dst,
                                    const Descriptor *dpitch, Array from,
                                    const Descriptor *x, const Descriptor *y,
                                    const Descriptor *width,
                                    const Descriptor *height, const int *kdir) {
  Buffer to = readBuffer(dst);
  size_t column, row, pitch, columns, rows;
  if (!readBytes(to.element, x, column) || !readCount(y, row) ||
      !readBytes(to.element, dpitch, pitch) ||
      !readBytes(to.element, width, columns) || !readCount(height, rows))
    return refused(InvalidValue);
  return cudaMemcpy2DFromArray(to.address, pitch, from, column, row, columns,
                               rows, kindOf(kdir));
}

int __cudafor_cudaMemcpy2DArrayToArray(
    Array to, const Descriptor *toX, const Descriptor *toY, Array from,
    const Descriptor *fromX, const Descriptor *fromY, const Descriptor *width,
    const Descriptor *height, const int *kdir) {
  size_t element, toColumn, toRow, fromColumn, fromRow, columns, rows;
  if (int error = elementOf(to, element))
    return error;
  if (!readBytes(element, toX, toColumn) || !readCount(toY, toRow) ||
      !readBytes(element, fromX, fromColumn) || !readCount(fromY, fromRow) ||
      !readBytes(element, width, columns) || !readCount(height, rows))
    return refused(InvalidValue);
  return cudaMemcpy2DArrayToArray(to, toColumn, toRow, from, fromColumn,
                                  fromRow, columns, rows, kdir ? *kdir : 3);
}

int __cudafor_cudaMemcpy3DAsync(const void *parameters,
                                const Descriptor *stream) {
  return cudaMemcpy3DAsync(parameters, readStream(stream));
}

} // extern "C"
