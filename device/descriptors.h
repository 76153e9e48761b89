//===- descriptors.h - arrays as Flang passes them --------------*- C -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays come as descriptors, which the standard's ISO_Fortran_binding.h lays
// out. What a function returns is allocated here; the caller frees it.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_DEVICE_DESCRIPTORS_H
#define CUFORT_DEVICE_DESCRIPTORS_H

#include "flang/ISO_Fortran_binding.h"

typedef long long i64;
typedef unsigned long long u64;
typedef unsigned int u32;
typedef CFI_cdesc_t Array;

#define FORTRAN(name) _FortranA##name
#define INLINE static inline __attribute__((always_inline))
#define MAX_RANK 15

void *malloc(unsigned long size);
void free(void *memory);

/// What kind of values an array has.
enum Category { Integer, Real, Complex, Logical, Other };

INLINE enum Category categoryOf(const Array *array) {
  int type = array->type;
  return type >= CFI_type_signed_char && type <= CFI_type_ptrdiff_t ? Integer
         : type == CFI_type_float || type == CFI_type_double        ? Real
         : type == CFI_type_float_Complex || type == CFI_type_double_Complex
             ? Complex
         : type == CFI_type_Bool ? Logical
                                 : Other;
}

/// The kind of characters that an array consists of; 0 for another type.
INLINE u64 characterKind(const Array *array) {
  return array->type == CFI_type_char       ? 1
         : array->type == CFI_type_char16_t ? 2
         : array->type == CFI_type_char32_t ? 4
                                            : 0;
}

/// A value of any kind: an integer or logical in i, a real number in re,
/// characters at their place.
struct Value {
  i64 i;
  double re, im;
  const char *text;
  u64 bytes; ///< of text
};

INLINE i64 loadInteger(const char *from, u64 bytes) {
  return bytes == 1   ? *(const signed char *)from
         : bytes == 2 ? *(const short *)from
         : bytes == 4 ? *(const int *)from
                      : *(const i64 *)from;
}

INLINE void storeInteger(char *to, u64 bytes, i64 value) {
  if (bytes == 1)
    *(signed char *)to = (signed char)value;
  else if (bytes == 2)
    *(short *)to = (short)value;
  else if (bytes == 4)
    *(int *)to = (int)value;
  else
    *(i64 *)to = value;
}

INLINE double loadReal(const char *from, u64 bytes) {
  return bytes == 4 ? *(const float *)from : *(const double *)from;
}

INLINE void storeReal(char *to, u64 bytes, double value) {
  if (bytes == 4)
    *(float *)to = (float)value;
  else
    *(double *)to = value;
}

INLINE struct Value load(const char *from, enum Category category, u64 bytes) {
  struct Value value = {0, 0, 0, 0, 0};
  if (category == Integer || category == Logical) {
    value.i = loadInteger(from, bytes);
  } else if (category == Real) {
    value.re = loadReal(from, bytes);
  } else if (category == Other) {
    value.text = from;
    value.bytes = bytes;
  } else {
    value.re = loadReal(from, bytes / 2);
    value.im = loadReal(from + bytes / 2, bytes / 2);
  }
  return value;
}

INLINE void store(char *to, enum Category category, u64 bytes,
                  struct Value value) {
  if (category == Integer || category == Logical) {
    storeInteger(to, bytes, value.i);
  } else if (category == Real) {
    storeReal(to, bytes, value.re);
  } else {
    storeReal(to, bytes / 2, value.re);
    storeReal(to + bytes / 2, bytes / 2, value.im);
  }
}

INLINE void copyBytes(char *to, const char *from, u64 bytes) {
  for (u64 i = 0; i < bytes; ++i)
    to[i] = from[i];
}

/// Elements of these sizes may be complex numbers or structures, which lie at
/// any multiple of what they consist of.
INLINE void copyElement(char *to, const char *from, u64 bytes) {
  const u64 places = (u64)to | (u64)from;
  if (bytes == 4 && places % 4 == 0)
    *(u32 *)to = *(const u32 *)from;
  else if (bytes == 8 && places % 8 == 0)
    *(u64 *)to = *(const u64 *)from;
  else
    copyBytes(to, from, bytes);
}

//===----------------------------------------------------------------------===//
// Going through an array
//===----------------------------------------------------------------------===//

INLINE u64 elementsOf(const Array *array) {
  u64 count = 1;
  for (int i = 0; i < array->rank; ++i)
    count *= array->dim[i].extent > 0 ? array->dim[i].extent : 0;
  return count;
}

/// The element at \p at, which counts from 0.
INLINE char *elementAt(const Array *array, const i64 *at) {
  char *address = array->base_addr;
  for (int i = 0; i < array->rank; ++i)
    address += at[i] * array->dim[i].sm;
  return address;
}

/// To the next element; false after the last one, with \p at at the first.
INLINE int step(const Array *array, i64 *at) {
  for (int i = 0; i < array->rank; ++i) {
    if (++at[i] < array->dim[i].extent)
      return 1;
    at[i] = 0;
  }
  return 0;
}

/// Whether a mask, which may be absent or scalar, holds at \p at.
INLINE int holds(const Array *mask, const i64 *at) {
  return !mask || loadInteger(elementAt(mask, at), mask->elem_len) != 0;
}

/// Position \p at of an array without its dimension \p dim (from 0), as that
/// of an element of the array, whose place in dim is \p along.
INLINE void insertDimension(i64 *full, const i64 *at, int rank, int dim,
                            i64 along) {
  for (int i = 0; i < rank; ++i)
    full[i] = i < dim ? at[i] : i == dim ? along : at[i - 1];
}

/// Ends the program; \p file may be null.
void _FortranAReportFatalUserError(const char *what, const char *file,
                                   int line);

/// Makes \p result a fresh array of the given shape.
INLINE void allocate(Array *result, int type, u64 bytes, int rank,
                     const i64 *extents) {
  result->elem_len = bytes;
  result->version = CFI_VERSION;
  result->rank = (CFI_rank_t)rank;
  result->type = (CFI_type_t)type;
  result->attribute = CFI_attribute_allocatable;
  result->extra = 0;
  u64 size = bytes;
  for (int i = 0; i < rank; ++i) {
    result->dim[i].lower_bound = 1;
    result->dim[i].extent = extents[i];
    result->dim[i].sm = (i64)size;
    size *= (u64)extents[i];
  }
  result->base_addr = malloc(size ? size : 1);
  if (!result->base_addr)
    _FortranAReportFatalUserError(
        "the device's heap is exhausted by an array that is a result", 0, 0);
}

/// What integers of \p bytes are called in descriptors.
INLINE int integerType(u64 bytes) {
  return bytes == 1   ? CFI_type_int8_t
         : bytes == 2 ? CFI_type_int16_t
         : bytes == 4 ? CFI_type_int32_t
                      : CFI_type_int64_t;
}

#endif // CUFORT_DEVICE_DESCRIPTORS_H
