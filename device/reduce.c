//===- reduce.c - reductions with a function of the program's -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// REDUCE in device code, with the names and arguments of Flang's runtime
// (flang/Runtime/reduce.h), for integer, real and logical arrays and those of
// derived types (these without DIM=: there is no assignment of what that
// returns). The elements are combined in their order, ORDERED= or not.
//
//===----------------------------------------------------------------------===//

#include "device/descriptors.h"

typedef signed char i8;
typedef short i16;
typedef int i32;

void FORTRAN(ReportFatalUserError)(const char *what, const char *file,
                                   int line);

static void checkResult(_Bool any, const void *identity, const char *file,
                        int line) {
  if (!any && !identity)
    FORTRAN(ReportFatalUserError)
  ("REDUCE of no elements without IDENTITY=", file, line);
}

/// The shape of \p array without dimension \p dim (from 1).
static void allocateWithout(Array *result, const Array *array, int dim,
                            const char *file, int line) {
  i64 extents[MAX_RANK];
  if (dim < 1 || dim > array->rank)
    FORTRAN(ReportFatalUserError)
  ("DIM= of REDUCE is no dimension of the array", file, line);
  for (int i = 0; i + 1 < array->rank; ++i)
    extents[i] = array->dim[i < dim - 1 ? i : i + 1].extent;
  allocate(result, array->type, array->elem_len, array->rank - 1, extents);
}

#define BY_REFERENCE(T, a, b) operation(&a, &b)
#define BY_VALUE(T, a, b) operation(a, b)
#define REFERENCE(T) T (*operation)(const T *, const T *)
#define VALUE(T) T (*operation)(T, T)

#define REDUCE(name, how, T, R, OPERATION, COMBINE)                            \
  R FORTRAN(Reduce##name##how)(                                                \
      const Array *array, OPERATION(T), const char *file, int line, int dim,   \
      const Array *mask, const T *identity, _Bool ordered) {                   \
    i64 at[MAX_RANK] = {0};                                                    \
    T sum = 0;                                                                 \
    _Bool any = 0;                                                             \
    if (elementsOf(array))                                                     \
      do {                                                                     \
        if (!holds(mask, at))                                                  \
          continue;                                                            \
        const T x = *(const T *)elementAt(array, at);                          \
        sum = any ? COMBINE(T, sum, x) : x;                                    \
        any = 1;                                                               \
      } while (step(array, at));                                               \
    checkResult(any, identity, file, line);                                    \
    return (R)(any ? sum : *identity);                                         \
  }                                                                            \
  void FORTRAN(Reduce##name##Dim##how)(Array * result, const Array *array,     \
                                       OPERATION(T), const char *file,         \
                                       int line, int dim, const Array *mask,   \
                                       const T *identity, _Bool ordered) {     \
    i64 at[MAX_RANK] = {0}, full[MAX_RANK];                                    \
    allocateWithout(result, array, dim, file, line);                           \
    if (!elementsOf(result))                                                   \
      return;                                                                  \
    do {                                                                       \
      T sum = 0;                                                               \
      _Bool any = 0;                                                           \
      for (i64 along = 0; along < array->dim[dim - 1].extent; ++along) {       \
        insertDimension(full, at, array->rank, dim - 1, along);                \
        if (!holds(mask, full))                                                \
          continue;                                                            \
        const T x = *(const T *)elementAt(array, full);                        \
        sum = any ? COMBINE(T, sum, x) : x;                                    \
        any = 1;                                                               \
      }                                                                        \
      checkResult(any, identity, file, line);                                  \
      *(T *)elementAt(result, at) = any ? sum : *identity;                     \
    } while (step(result, at));                                                \
  }
#define REDUCES(name, T, R)                                                    \
  REDUCE(name, Ref, T, R, REFERENCE, BY_REFERENCE)                             \
  REDUCE(name, Value, T, R, VALUE, BY_VALUE)
REDUCES(Integer1, i8, i8)
REDUCES(Integer2, i16, i16)
REDUCES(Integer4, i32, i32)
REDUCES(Integer8, i64, i64)
REDUCES(Real4, float, float)
REDUCES(Real8, double, double)
REDUCES(Logical1, i8, _Bool)
REDUCES(Logical2, i16, _Bool)
REDUCES(Logical4, i32, _Bool)
REDUCES(Logical8, i64, _Bool)

// Complex numbers come back through an argument. Functions with VALUE arguments
// are missing: C cannot call them with pairs.
#define REDUCE_COMPLEX(name, T)                                                \
  static T combine##name(const Array *array, const i64 *at, T sum, _Bool any,  \
                         REFERENCE(T)) {                                       \
    const T x = *(const T *)elementAt(array, at);                              \
    return any ? operation(&sum, &x) : x;                                      \
  }                                                                            \
  void FORTRAN(CppReduce##name##Ref)(T * result, const Array *array,           \
                                     REFERENCE(T), const char *file, int line, \
                                     int dim, const Array *mask,               \
                                     const T *identity, _Bool ordered) {       \
    i64 at[MAX_RANK] = {0};                                                    \
    T sum = 0;                                                                 \
    _Bool any = 0;                                                             \
    if (elementsOf(array))                                                     \
      do {                                                                     \
        if (!holds(mask, at))                                                  \
          continue;                                                            \
        sum = combine##name(array, at, sum, any, operation);                   \
        any = 1;                                                               \
      } while (step(array, at));                                               \
    checkResult(any, identity, file, line);                                    \
    *result = any ? sum : *identity;                                           \
  }                                                                            \
  void FORTRAN(CppReduce##name##DimRef)(Array * result, const Array *array,    \
                                        REFERENCE(T), const char *file,        \
                                        int line, int dim, const Array *mask,  \
                                        const T *identity, _Bool ordered) {    \
    i64 at[MAX_RANK] = {0}, full[MAX_RANK];                                    \
    allocateWithout(result, array, dim, file, line);                           \
    if (!elementsOf(result))                                                   \
      return;                                                                  \
    do {                                                                       \
      T sum = 0;                                                               \
      _Bool any = 0;                                                           \
      for (i64 along = 0; along < array->dim[dim - 1].extent; ++along) {       \
        insertDimension(full, at, array->rank, dim - 1, along);                \
        if (!holds(mask, full))                                                \
          continue;                                                            \
        sum = combine##name(array, full, sum, any, operation);                 \
        any = 1;                                                               \
      }                                                                        \
      checkResult(any, identity, file, line);                                  \
      *(T *)elementAt(result, at) = any ? sum : *identity;                     \
    } while (step(result, at));                                                \
  }
REDUCE_COMPLEX(Complex4, _Complex float)
REDUCE_COMPLEX(Complex8, _Complex double)

typedef void (*Combine)(void *result, const void *x, const void *y);

void FORTRAN(ReduceDerivedType)(char *result, const Array *array,
                                Combine operation, const char *file, int line,
                                int dim, const Array *mask,
                                const char *identity, _Bool ordered) {
  const u64 bytes = array->elem_len;
  char *next = malloc(bytes);
  if (!next)
    FORTRAN(ReportFatalUserError)("the device's heap is exhausted", file, line);
  i64 at[MAX_RANK] = {0};
  _Bool any = 0;
  if (elementsOf(array))
    do {
      if (!holds(mask, at))
        continue;
      const char *x = elementAt(array, at);
      if (any)
        operation(next, result, x);
      copyBytes(result, any ? next : x, bytes);
      any = 1;
    } while (step(array, at));
  free(next);
  checkResult(any, identity, file, line);
  if (!any)
    copyBytes(result, identity, bytes);
}
