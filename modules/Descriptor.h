//===- Descriptor.h - reading actual arguments ------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arguments of cudafor's generic routines are Fortran descriptors: they say
// of an actual argument of any type, rank and memory how large its elements
// are.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_MODULES_DESCRIPTOR_H
#define CUFORT_MODULES_DESCRIPTOR_H

#include "RuntimeApi.h"

#include <flang/ISO_Fortran_binding.h>

#include <cstdint>
#include <cstring>

// The type descriptions that Flang gives to pointers passed as type(*).
extern "C" {
extern const char _QM__fortran_builtinsEXdtX__builtin_c_ptr[]
    __attribute__((weak));
extern const char _QM__fortran_builtinsEXdtX__builtin_c_devptr[]
    __attribute__((weak));
// And to cudafor's own.
extern const char _QMcudaforEXdtXcudasymbol[] __attribute__((weak));
}

namespace cudafor {

using Descriptor = CFI_cdesc_t;

/// The value of an integer of any kind; false: no integer.
inline bool readInteger(const Descriptor *d, int64_t &number) {
  switch (d->elem_len) {
  case 1:
    number = static_cast<int>(*static_cast<const int8_t *>(d->base_addr));
    break;
  case 2:
    number = *static_cast<const int16_t *>(d->base_addr);
    break;
  case 4:
    number = *static_cast<const int32_t *>(d->base_addr);
    break;
  case 8:
    number = *static_cast<const int64_t *>(d->base_addr);
    break;
  default:
    return false;
  }
  return true;
}

/// The value of a count of any kind; false: negative, or no integer.
inline bool readCount(const Descriptor *d, size_t &value) {
  int64_t number;
  if (!readInteger(d, number))
    return false;
  value = static_cast<size_t>(number);
  return number >= 0;
}

/// Sets an integer of any kind; false where it does not fit.
inline bool writeCount(const Descriptor *d, size_t value) {
  switch (d->elem_len) {
  case 4:
    *static_cast<int32_t *>(d->base_addr) = static_cast<int32_t>(value);
    return value <= INT32_MAX;
  case 8:
    *static_cast<int64_t *>(d->base_addr) = static_cast<int64_t>(value);
    return value <= INT64_MAX;
  default:
    return false;
  }
}

/// The stream an integer of any kind stands for; none given: the default one.
inline Stream readStream(const Descriptor *d) {
  int64_t number = 0;
  if (d)
    readInteger(d, number);
  return reinterpret_cast<Stream>(number);
}

/// Whether the actual argument is a type(c_ptr) or type(c_devptr), whose
/// value, not whose place, is meant. The type's description follows the
/// descriptor's dimensions.
inline bool isPointerValue(const Descriptor *d) {
  if (d->elem_len != sizeof(void *) ||
      (d->type != CFI_type_struct && d->type != CFI_type_cptr))
    return false;
  if (d->type == CFI_type_cptr)
    return true;
  const char *type;
  std::memcpy(&type, &d->dim[d->rank], sizeof(type));
  return type && (type == _QM__fortran_builtinsEXdtX__builtin_c_ptr ||
                  type == _QM__fortran_builtinsEXdtX__builtin_c_devptr);
}

/// Whether the actual argument is a type(cudaSymbol).
inline bool isSymbol(const Descriptor *d) {
  if (d->type != CFI_type_struct || d->elem_len != 256)
    return false;
  const char *type;
  std::memcpy(&type, &d->dim[d->rank], sizeof(type));
  return type && type == _QMcudaforEXdtXcudasymbol;
}

/// What a buffer argument means: an address and the bytes of one element.
struct Buffer {
  char *address;
  size_t element;
  bool contiguous;
};

inline Buffer readBuffer(const Descriptor *d) {
  if (isPointerValue(d))
    return {*static_cast<char **>(d->base_addr), 1, true};
  bool contiguous = true;
  CFI_index_t stride = static_cast<CFI_index_t>(d->elem_len);
  for (int i = 0; i < d->rank && contiguous; ++i) {
    // The last extent of an assumed-size array is -1: nothing lies above it.
    contiguous = d->dim[i].sm == stride || d->dim[i].extent == 1;
    stride *= d->dim[i].extent;
  }
  return {static_cast<char *>(d->base_addr), d->elem_len, contiguous};
}

/// Bytes of \p elements elements; false on overflow.
inline bool byteCount(size_t elements, size_t element, size_t &bytes) {
  return !__builtin_mul_overflow(elements, element, &bytes);
}

} // namespace cudafor

#endif // CUFORT_MODULES_DESCRIPTOR_H
