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

/// Fills \p count elements. Where all bytes of the value are equal the runtime
/// fills; otherwise the first elements come from the host and the filled part
/// is doubled on the device.
int fill(char *to, const char *value, size_t element, size_t count,
         Stream stream) {
  size_t bytes;
  if (!byteCount(count, element, bytes))
    return InvalidValue;
  if (!bytes)
    return Success;
  bool uniform = true;
  for (size_t i = 1; i < element; ++i)
    uniform &= value[i] == value[0];
  if (uniform)
    return cudaMemsetAsync(to, static_cast<unsigned char>(value[0]), bytes,
                           stream);
  constexpr size_t FirstBytes = 4096;
  char first[FirstBytes];
  size_t done = FirstBytes / element * element;
  if (done > bytes)
    done = bytes;
  for (size_t i = 0; i < done; i += element)
    std::memcpy(first + i, value, element);
  if (int error = cudaMemcpyAsync(to, first, done, MemcpyDefault, stream))
    return error;
  // The host's pattern lives on this stack.
  if (int error = cudaStreamSynchronize(stream))
    return error;
  while (done < bytes) {
    size_t more = done < bytes - done ? done : bytes - done;
    if (int error = cudaMemcpyAsync(to + done, to, more, MemcpyDefault, stream))
      return error;
    done += more;
  }
  return Success;
}

int fillArray(const Descriptor *devptr, const Descriptor *value,
              const Descriptor *count, Stream stream) {
  Buffer to = readBuffer(devptr);
  size_t elements;
  if (!readCount(count, elements) || !to.contiguous)
    return InvalidValue;
  char element[MaxElement];
  if (isPointerValue(devptr)) // a raw address: the lowest byte of the value
    element[0] = *static_cast<const char *>(value->base_addr);
  else if (!fillElement(devptr, value, element))
    return InvalidValue;
  return fill(to.address, element, to.element, elements, stream);
}

} // namespace

extern "C" {

int __cudafor_cudaMemset(const Descriptor *devptr, const Descriptor *value,
                         const Descriptor *count) {
  return fillArray(devptr, value, count, nullptr);
}

int __cudafor_cudaMemsetAsync(const Descriptor *devptr, const Descriptor *value,
                              const Descriptor *count,
                              const Descriptor *stream) {
  return fillArray(devptr, value, count, readStream(stream));
}

int __cudafor_cudaMemset2DAsync(const Descriptor *devptr,
                                const Descriptor *pitch,
                                const Descriptor *value,
                                const Descriptor *width,
                                const Descriptor *height,
                                const Descriptor *stream) {
  Buffer to = readBuffer(devptr);
  size_t pitchElements, columns, rows;
  char element[MaxElement];
  if (!readCount(pitch, pitchElements) || !readCount(width, columns) ||
      !readCount(height, rows))
    return InvalidValue;
  if (isPointerValue(devptr))
    return cudaMemset2DAsync(
        to.address, pitchElements,
        *static_cast<const unsigned char *>(value->base_addr), columns, rows,
        readStream(stream));
  if (!fillElement(devptr, value, element))
    return InvalidValue;
  for (size_t row = 0; row < rows; ++row)
    if (int error = fill(to.address + row * pitchElements * to.element, element,
                         to.element, columns, readStream(stream)))
      return error;
  return Success;
}

int __cudafor_cudaMemset2D(const Descriptor *devptr, const Descriptor *pitch,
                           const Descriptor *value, const Descriptor *width,
                           const Descriptor *height) {
  return __cudafor_cudaMemset2DAsync(devptr, pitch, value, width, height,
                                     nullptr);
}

int __cudafor_cudaMemset3DAsync(PitchedPointer to, int value, Extent extent,
                                const Descriptor *stream) {
  return cudaMemset3DAsync(to, value, extent, readStream(stream));
}

} // extern "C"
