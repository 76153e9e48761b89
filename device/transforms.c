//===- transforms.c - Fortran's array transformations on a device ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What rearranges arrays, where Flang does not write it out as loops, with the
// names and arguments of Flang's runtime (flang/Runtime/transformational.h,
// misc-intrinsic.h, assign.h). Lengths that do not fit end the kernel.
//
//===----------------------------------------------------------------------===//

#include "device/descriptors.h"

void FORTRAN(ReportFatalUserError)(const char *what, const char *file,
                                   int line);

void FORTRAN(Reshape)(Array *result, const Array *source, const Array *shape,
                      const Array *pad, const Array *order, const char *file,
                      int line) {
  i64 extents[MAX_RANK], at[MAX_RANK] = {0}, from[MAX_RANK] = {0},
                         padding[MAX_RANK] = {0};
  int rank = (int)shape->dim[0].extent, place[MAX_RANK];
  for (i64 i = 0; i < rank; ++i) {
    extents[i] = loadInteger(elementAt(shape, &i), shape->elem_len);
    place[i] = order
                   ? (int)loadInteger(elementAt(order, &i), order->elem_len) - 1
                   : (int)i;
    if (place[i] < 0 || place[i] >= rank)
      FORTRAN(ReportFatalUserError)
    ("RESHAPE: ORDER= is not a permutation of the dimensions", file, line);
  }
  u64 bytes = source->elem_len, left = elementsOf(source);
  allocate(result, source->type, bytes, rank, extents);
  for (u64 count = elementsOf(result); count; --count) {
    if (left) {
      copyElement(elementAt(result, at), elementAt(source, from), bytes);
      step(source, from);
      --left;
    } else {
      if (!pad || !elementsOf(pad))
        FORTRAN(ReportFatalUserError)
      ("RESHAPE: SOURCE= has fewer elements than SHAPE= asks for, and there is "
       "no PAD=",
       file, line);
      copyElement(elementAt(result, at), elementAt(pad, padding), bytes);
      step(pad, padding);
    }
    for (int i = 0; i < rank; ++i) {
      if (++at[place[i]] < extents[place[i]])
        break;
      at[place[i]] = 0;
    }
  }
}

void FORTRAN(Spread)(Array *result, const Array *source, int dim, i64 copies,
                     const char *file, int line) {
  i64 extents[MAX_RANK], at[MAX_RANK] = {0}, from[MAX_RANK];
  int rank = source->rank + 1;
  if (dim < 1 || dim > rank)
    FORTRAN(ReportFatalUserError)
  ("SPREAD: DIM= is not a dimension of the result", file, line);
  for (int i = 0; i < rank; ++i)
    extents[i] = i < dim - 1    ? source->dim[i].extent
                 : i == dim - 1 ? (copies > 0 ? copies : 0)
                                : source->dim[i - 1].extent;
  allocate(result, source->type, source->elem_len, rank, extents);
  if (elementsOf(result))
    do {
      for (int i = 0; i + 1 < rank; ++i)
        from[i] = at[i < dim - 1 ? i : i + 1];
      copyElement(elementAt(result, at), elementAt(source, from),
                  source->elem_len);
    } while (step(result, at));
}

void FORTRAN(Transpose)(Array *result, const Array *matrix, const char *file,
                        int line) {
  i64 extents[2] = {matrix->dim[1].extent, matrix->dim[0].extent};
  i64 at[2] = {0, 0};
  allocate(result, matrix->type, matrix->elem_len, 2, extents);
  if (elementsOf(result))
    do {
      i64 from[2] = {at[1], at[0]};
      copyElement(elementAt(result, at), elementAt(matrix, from),
                  matrix->elem_len);
    } while (step(result, at));
}

void FORTRAN(Pack)(Array *result, const Array *source, const Array *mask,
                   const Array *vector, const char *file, int line) {
  i64 at[MAX_RANK] = {0}, count = 0, to = 0;
  u64 elements = elementsOf(source), bytes = source->elem_len;
  if (elements)
    do
      count += holds(mask, at);
    while (step(source, at));
  i64 extents[1] = {vector ? vector->dim[0].extent : count};
  if (extents[0] < count)
    FORTRAN(ReportFatalUserError)
  ("PACK: VECTOR= has fewer elements than the mask selects", file, line);
  allocate(result, source->type, bytes, 1, extents);
  if (elements)
    do
      if (holds(mask, at)) {
        copyElement(elementAt(result, &to), elementAt(source, at), bytes);
        ++to;
      }
    while (step(source, at));
  for (; to < extents[0]; ++to)
    copyElement(elementAt(result, &to), elementAt(vector, &to), bytes);
}

void FORTRAN(Unpack)(Array *result, const Array *vector, const Array *mask,
                     const Array *field, const char *file, int line) {
  i64 extents[MAX_RANK], at[MAX_RANK] = {0}, next = 0;
  for (int i = 0; i < mask->rank; ++i)
    extents[i] = mask->dim[i].extent;
  allocate(result, vector->type, vector->elem_len, mask->rank, extents);
  if (elementsOf(result))
    do {
      char *to = elementAt(result, at);
      if (!holds(mask, at)) {
        copyElement(to, elementAt(field, at), vector->elem_len);
        continue;
      }
      if (next >= vector->dim[0].extent)
        FORTRAN(ReportFatalUserError)
      ("UNPACK: VECTOR= has fewer elements than the mask selects", file, line);
      copyElement(to, elementAt(vector, &next), vector->elem_len);
      ++next;
    } while (step(result, at));
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

/// Circular where \p boundary is null and \p fill is not set; else what is
/// shifted in is the boundary's element, or zero.
INLINE void shift(Array *result, const Array *source, const Array *shifts,
                  i64 same, const Array *boundary, int fill, int dim,
                  const char *file, int lineNumber) {
  i64 extents[MAX_RANK], at[MAX_RANK] = {0}, from[MAX_RANK], line[MAX_RANK];
  int rank = source->rank;
  if (dim < 1 || dim > rank)
    FORTRAN(ReportFatalUserError)
  ("CSHIFT or EOSHIFT: DIM= is not a dimension of the array", file, lineNumber);
  for (int i = 0; i < rank; ++i)
    extents[i] = source->dim[i].extent;
  u64 bytes = source->elem_len;
  allocate(result, source->type, bytes, rank, extents);
  i64 length = extents[dim - 1];
  if (!elementsOf(result))
    return;
  do {
    for (int i = 0; i + 1 < rank; ++i)
      line[i] = at[i < dim - 1 ? i : i + 1];
    i64 by =
        shifts ? loadInteger(elementAt(shifts, line), shifts->elem_len) : same;
    i64 place = at[dim - 1] + by;
    char *to = elementAt(result, at);
    if (!fill) {
      place %= length;
      place += place < 0 ? length : 0;
    }
    if (place >= 0 && place < length) {
      for (int i = 0; i < rank; ++i)
        from[i] = i == dim - 1 ? place : at[i];
      copyElement(to, elementAt(source, from), bytes);
    } else if (boundary) {
      copyElement(to, elementAt(boundary, line), bytes);
    } else {
      for (u64 i = 0; i < bytes; ++i)
        to[i] = 0;
    }
  } while (step(result, at));
}

void FORTRAN(Cshift)(Array *result, const Array *source, const Array *shifts,
                     int dim, const char *file, int line) {
  shift(result, source, shifts, 0, 0, 0, dim, file, line);
}
void FORTRAN(CshiftVector)(Array *result, const Array *source, i64 by,
                           const char *file, int line) {
  shift(result, source, 0, by, 0, 0, 1, file, line);
}
void FORTRAN(Eoshift)(Array *result, const Array *source, const Array *shifts,
                      const Array *boundary, int dim, const char *file,
                      int line) {
  shift(result, source, shifts, 0, boundary, 1, dim, file, line);
}
void FORTRAN(EoshiftVector)(Array *result, const Array *source, i64 by,
                            const Array *boundary, const char *file, int line) {
  shift(result, source, 0, by, boundary, 1, 1, file, line);
}

//===----------------------------------------------------------------------===//
// Bits as they are
//===----------------------------------------------------------------------===//

/// The bytes of \p source one after the other, as \p count elements like the
/// mold's. What is left of them when the source ends is zero.
INLINE void transfer(Array *result, const Array *source, const Array *mold,
                     int rank, i64 count) {
  i64 at[MAX_RANK] = {0};
  u64 size = elementsOf(source) * source->elem_len, bytes = mold->elem_len;
  allocate(result, mold->type, bytes, rank, &count);
  char *to = result->base_addr;
  u64 capacity = (rank ? (u64)count : 1) * bytes, done = 0;
  if (size)
    do {
      const char *from = elementAt(source, at);
      for (u64 i = 0; i < source->elem_len && done < capacity; ++i)
        to[done++] = from[i];
    } while (done < capacity && step(source, at));
  while (done < capacity)
    to[done++] = 0;
}

void FORTRAN(Transfer)(Array *result, const Array *source, const Array *mold,
                       const char *file, int line) {
  u64 size = elementsOf(source) * source->elem_len, bytes = mold->elem_len;
  transfer(result, source, mold, mold->rank > 0,
           bytes ? (i64)((size + bytes - 1) / bytes) : 0);
}

void FORTRAN(TransferSize)(Array *result, const Array *source,
                           const Array *mold, const char *file, int line,
                           i64 count) {
  transfer(result, source, mold, 1, count);
}

//===----------------------------------------------------------------------===//
// Assignment
//===----------------------------------------------------------------------===//

INLINE struct Value convert(struct Value value, enum Category from,
                            enum Category to) {
  if (from == Integer && (to == Real || to == Complex))
    value.re = (double)value.i;
  else if (to == Integer && (from == Real || from == Complex))
    value.i = (i64)value.re;
  return value;
}

/// Gives an allocatable variable the shape of what is assigned to it, and the
/// length where \p takesLength.
INLINE void fit(Array *to, const Array *from, int takesLength) {
  if (to->attribute != CFI_attribute_allocatable)
    return;
  int fits = to->base_addr != 0;
  if (takesLength && to->elem_len != from->elem_len) {
    to->elem_len = from->elem_len;
    fits = 0;
  }
  for (int i = 0; fits && from->rank && i < to->rank; ++i)
    fits = to->dim[i].extent == from->dim[i].extent;
  if (fits)
    return;
  i64 extents[MAX_RANK], lower[MAX_RANK];
  for (int i = 0; i < to->rank; ++i) {
    extents[i] = from->rank ? from->dim[i].extent : 1;
    lower[i] = from->rank ? from->dim[i].lower_bound : 1;
  }
  unsigned char extra = to->extra;
  free(to->base_addr);
  allocate(to, to->type, to->elem_len, to->rank, extents);
  to->extra = extra;
  for (int i = 0; i < to->rank; ++i)
    to->dim[i].lower_bound = lower[i];
}

/// Whether their elements may lie in the same memory.
INLINE int overlap(const Array *a, const Array *b) {
  const char *first[2], *last[2];
  const Array *both[2] = {a, b};
  for (int k = 0; k < 2; ++k) {
    first[k] = last[k] = both[k]->base_addr;
    for (int i = 0; i < both[k]->rank; ++i) {
      i64 way = (both[k]->dim[i].extent - 1) * both[k]->dim[i].sm;
      if (way < 0)
        first[k] += way;
      else
        last[k] += way;
    }
    last[k] += both[k]->elem_len;
  }
  return first[0] < last[1] && first[1] < last[0];
}

/// Characters of one kind; a shorter value ends in blanks.
INLINE void copyText(char *to, u64 capacity, const char *from, u64 bytes,
                     u64 kind) {
  copyBytes(to, from, bytes < capacity ? bytes : capacity);
  for (u64 i = bytes; i < capacity; ++i)
    to[i] = i % kind ? 0 : ' ';
}

/// Of numbers, logical values and characters. Those of derived types may own
/// memory, which only their definition tells: \p isPlain if they do not.
INLINE void assign(Array *to, const Array *from, int takesLength, int isPlain,
                   const char *file, int line) {
  enum Category category = categoryOf(to), other = categoryOf(from);
  const u64 kind = characterKind(to);
  int isSame = category == other && to->elem_len == from->elem_len;
  if (!isPlain && (kind ? characterKind(from) != kind
                        : category == Other || other == Other))
    FORTRAN(ReportFatalUserError)
  ("assignment of an array of derived type needs the host's library here; "
   "assign its components",
   file, line);
  if (from->rank && to->attribute != CFI_attribute_allocatable)
    for (int i = 0; i < to->rank; ++i)
      if (to->dim[i].extent != from->dim[i].extent)
        FORTRAN(ReportFatalUserError)
  ("an array is assigned to one of another shape", file, line);
  char *scratch = 0;
  i64 at[MAX_RANK] = {0}, source[MAX_RANK] = {0};
  u64 count = elementsOf(from), bytes = from->elem_len;
  if (to->base_addr && count && overlap(to, from)) {
    char *copy = scratch = malloc(count * bytes);
    if (!copy)
      FORTRAN(ReportFatalUserError)
    ("the device's heap is exhausted by an assignment", file, line);
    do {
      copyElement(copy, elementAt(from, source), bytes);
      copy += bytes;
    } while (step(from, source));
  }
  struct Value one = {0, 0, 0, 0, 0};
  if (!from->rank && !kind && !isPlain)
    one = load(from->base_addr, other, bytes);
  fit(to, from, takesLength && kind);
  const char *next = scratch;
  if (elementsOf(to))
    do {
      const char *element = next ? next : elementAt(from, source);
      if (kind)
        copyText(elementAt(to, at), to->elem_len, element, bytes, kind);
      else if (isPlain)
        copyElement(elementAt(to, at), element, bytes);
      else if (!from->rank)
        store(elementAt(to, at), category, to->elem_len,
              convert(one, other, category));
      else if (isSame)
        copyElement(elementAt(to, at), element, bytes);
      else
        store(elementAt(to, at), category, to->elem_len,
              convert(load(element, other, bytes), other, category));
      if (!from->rank)
        continue;
      if (next)
        next += bytes;
      else
        step(from, source);
    } while (step(to, at));
  free(scratch);
}

void FORTRAN(Assign)(Array *to, const Array *from, const char *file, int line) {
  assign(to, from, 1, 0, file, line);
}
void FORTRAN(AssignTemporary)(Array *to, const Array *from, const char *file,
                              int line) {
  assign(to, from, 1, 0, file, line);
}
void FORTRAN(AssignExplicitLengthCharacter)(Array *to, const Array *from,
                                            const char *file, int line) {
  assign(to, from, 0, 0, file, line);
}
/// What compiler/lower puts in the place of the first two for structures that
/// own no memory.
void __cufort_assign_plain(Array *to, const Array *from, const char *file,
                           int line) {
  assign(to, from, 1, 1, file, line);
}

//===----------------------------------------------------------------------===//
// Bessel functions of several orders
//===----------------------------------------------------------------------===//

/// The values for the greatest two orders, from which the host's library works
/// its way, are not needed: each order is computed as a function of its own.
#define BESSEL_ORDERS(name, T, type, function, bytes, lowest, higher)          \
  T function(int n, T x);                                                      \
  void FORTRAN(name##_##bytes)(Array * result, int first, int last, T x, T a,  \
                               T b, const char *file, int line) {              \
    const i64 orders[1] = {last < first ? 0 : (i64)last - first + 1};          \
    allocate(result, type, bytes, 1, orders);                                  \
    for (i64 i = 0; i < orders[0]; ++i)                                        \
      ((T *)result->base_addr)[i] = function(first + (int)i, x);               \
  }                                                                            \
  void FORTRAN(name##X0_##bytes)(Array * result, int first, int last,          \
                                 const char *file, int line) {                 \
    const i64 orders[1] = {last < first ? 0 : (i64)last - first + 1};          \
    allocate(result, type, bytes, 1, orders);                                  \
    for (i64 i = 0; i < orders[0]; ++i)                                        \
      ((T *)result->base_addr)[i] = first + i ? (T)(higher) : (T)(lowest);     \
  }
BESSEL_ORDERS(BesselJn, float, CFI_type_float, __nv_jnf, 4, 1, 0)
BESSEL_ORDERS(BesselJn, double, CFI_type_double, __nv_jn, 8, 1, 0)
BESSEL_ORDERS(BesselYn, float, CFI_type_float, __nv_ynf, 4, -__builtin_inf(),
              -__builtin_inf())
BESSEL_ORDERS(BesselYn, double, CFI_type_double, __nv_yn, 8, -__builtin_inf(),
              -__builtin_inf())
