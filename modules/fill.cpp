//===- fill.cpp - cudafor: cudaMemset -------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills with a value of the element's type; the CUDA runtime fills with bytes.
//
//===----------------------------------------------------------------------===//

#include "Descriptor.h"

using namespace cudafor;

namespace {

constexpr size_t MaxElement = 64;

bool isInteger(const Descriptor *d) {
  return d->type >= CFI_type_signed_char && d->type <= CFI_type_ptrdiff_t;
}

/// Writes the value that fills elements of \p like to \p element: the value's
/// own bytes if it is of the same size and class, else its conversion between
/// integers and reals of four and eight bytes.
bool fillElement(const Descriptor *like, const Descriptor *value,
                 char *element) {
  if (like->elem_len > MaxElement)
    return false;
  if (like->elem_len == value->elem_len &&
      isInteger(like) == isInteger(value)) {
    std::memcpy(element, value->base_addr, like->elem_len);
    return true;
  }
  double real;
  int64_t integer;
  if (value->type == CFI_type_float) {
    real = *static_cast<const float *>(value->base_addr);
    integer = static_cast<int64_t>(real);
  } else if (value->type == CFI_type_double) {
    real = *static_cast<const double *>(value->base_addr);
    integer = static_cast<int64_t>(real);
  } else if (isInteger(value)) {
    if (!readInteger(value, integer))
      return false;
    real = static_cast<double>(integer);
  } else {
    return false;
  }
  if (like->type == CFI_type_double) {
    std::memcpy(element, &real, sizeof(real));
  } else if (like->type == CFI_type_float) {
    float single = static_cast<float>(real);
    std::memcpy(element, &single, sizeof(single));
  } else if (isInteger(like) && like->elem_len <= sizeof(integer)) {
    std::memcpy(element, &integer, like->elem_len);
  } else {
    return false;
  }
  return true;
}

/// Fills \p count elements; asynchronous.
int fill(char *to, const char *value, size_t element, size_t count,
         Stream stream, FillFunction *fills = __cufort_fill_async) {
  size_t bytes;
  if (!byteCount(count, element, bytes))
    return refused(InvalidValue);
  return fills(to, value, element, count, stream);
}

int fillArray(const Descriptor *devptr, const Descriptor *value,
              const Descriptor *count, Stream stream, FillFunction *fills) {
  Buffer to = readBuffer(devptr);
  size_t elements;
  if (!readCount(count, elements) || !to.contiguous)
    return refused(InvalidValue);
  char element[MaxElement];
  if (isPointerValue(devptr)) // a raw address: the lowest byte of the value
    element[0] = *static_cast<const char *>(value->base_addr);
  else if (!fillElement(devptr, value, element))
    return refused(InvalidValue);
  return fill(to.address, element, to.element, elements, stream, fills);
}

} // namespace

extern "C" {

int __cudafor_cudaMemset(const Descriptor *devptr, const Descriptor *value,
                         const Descriptor *count) {
  const Routine routine("cudaMemset");
  return fillArray(devptr, value, count, nullptr, __cufort_fill);
}

int __cudafor_cudaMemsetAsync(const Descriptor *devptr, const Descriptor *value,
                              const Descriptor *count,
                              const Descriptor *stream) {
  const Routine routine("cudaMemsetAsync");
  return fillArray(devptr, value, count, readStream(stream),
                   __cufort_fill_async);
}

int __cudafor_cudaMemset2DAsync(const Descriptor *devptr,
                                const Descriptor *pitch,
                                const Descriptor *value,
                                const Descriptor *width,
                                const Descriptor *height,
                                const Descriptor *stream) {
  const Routine routine("cudaMemset2DAsync");
  Buffer to = readBuffer(devptr);
  size_t pitchElements, columns, rows;
  char element[MaxElement];
  if (!readCount(pitch, pitchElements) || !readCount(width, columns) ||
      !readCount(height, rows))
    return refused(InvalidValue);
  if (isPointerValue(devptr))
    return cudaMemset2DAsync(
        to.address, pitchElements,
        *static_cast<const unsigned char *>(value->base_addr), columns, rows,
        readStream(stream));
  if (!fillElement(devptr, value, element))
    return refused(InvalidValue);
  for (size_t row = 0; row < rows; ++row)
    if (int error = fill(to.address + row * pitchElements * to.element, element,
                         to.element, columns, readStream(stream)))
      return error;
  return Success;
}

int __cudafor_cudaMemset2D(const Descriptor *devptr, const Descriptor *pitch,
                           const Descriptor *value, const Descriptor *width,
                           const Descriptor *height) {
  const Routine routine("cudaMemset2D");
  return __cudafor_cudaMemset2DAsync(devptr, pitch, value, width, height,
                                     nullptr);
}

int __cudafor_cudaMemset3DAsync(PitchedPointer to, int value, Extent extent,
                                const Descriptor *stream) {
  return cudaMemset3DAsync(to, value, extent, readStream(stream));
}

} // extern "C"
