//===- reductions.c - Fortran's reductions on a device --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reductions that Flang does not write out as loops: along a dimension that
// is known at run time only, backwards, and those of bits. They have the names
// and the arguments of Flang's runtime (flang/Runtime/reduction.h).
//
//===----------------------------------------------------------------------===//

#include "device/descriptors.h"

double __nv_sqrt(double x);
int FORTRAN(CharacterCompareScalar1)(const char *x, const char *y, u64 xLength,
                                     u64 yLength);
int FORTRAN(CharacterCompareScalar2)(const unsigned short *x,
                                     const unsigned short *y, u64 xLength,
                                     u64 yLength);
int FORTRAN(CharacterCompareScalar4)(const u32 *x, const u32 *y, u64 xLength,
                                     u64 yLength);

/// How the characters of \p a, of \p kind bytes each, compare with those of
/// \p b: less than 0, 0, or more.
static int compare(struct Value a, struct Value b, u64 kind) {
  const u64 aLength = a.bytes / kind, bLength = b.bytes / kind;
  return kind == 1 ? FORTRAN(CharacterCompareScalar1)(a.text, b.text, aLength,
                                                      bLength)
         : kind == 2
             ? FORTRAN(CharacterCompareScalar2)((const unsigned short *)a.text,
                                                (const unsigned short *)b.text,
                                                aLength, bLength)
             : FORTRAN(CharacterCompareScalar4)(
                   (const u32 *)a.text, (const u32 *)b.text, aLength, bLength);
}

enum Operation {
  Sum,
  Product,
  Greatest,
  Least,
  BitsAll,
  BitsAny,
  BitsParity,
  TruthAll,
  TruthAny,
  TruthCount,
  TruthParity,
  Norm
};

/// A reduction under way. Sums of single precision are made in double
/// precision, those of double precision with a correction, as the host's.
struct Fold {
  struct Value value;
  double correction[2];
  double scale; ///< of a norm: the greatest element; value.re is relative to it
  u64 characters; ///< their kind
  int any;
};

INLINE void addReal(double *sum, double *correction, double x) {
  double next = *sum + x;
  double lost = (*sum < 0 ? -*sum : *sum) >= (x < 0 ? -x : x)
                    ? (*sum - next) + x
                    : (x - next) + *sum;
  // Neither is a number after an infinity.
  if (lost == lost)
    *correction += lost;
  *sum = next;
}

INLINE struct Fold startOf(enum Operation operation, enum Category category,
                           u64 bytes, u64 characters) {
  struct Fold fold = {{0, 0, 0, 0, 0}, {0, 0}, 0, characters, 0};
  if (operation == Product) {
    fold.value.i = 1;
    fold.value.re = 1;
  } else if (operation == BitsAll || operation == TruthAll) {
    fold.value.i = operation == BitsAll ? -1 : 1;
  } else if (operation == Greatest || operation == Least) {
    // Without any element: the least or greatest number of the kind.
    i64 most = (i64)(0x7fffffffffffffffull >> (64 - 8 * bytes));
    double huge =
        bytes == 4 ? 3.40282346638528859812e+38 : 1.79769313486231570815e+308;
    fold.value.i = operation == Least ? most : -most - 1;
    fold.value.re = operation == Least ? huge : -huge;
  }
  return fold;
}

INLINE void take(struct Fold *fold, enum Operation operation,
                 enum Category category, struct Value x) {
  struct Value *value = &fold->value;
  switch (operation) {
  case Sum:
    value->i += x.i;
    addReal(&value->re, &fold->correction[0], x.re);
    addReal(&value->im, &fold->correction[1], x.im);
    break;
  case Product: {
    value->i *= x.i;
    double re = category == Complex ? value->re * x.re - value->im * x.im
                                    : value->re * x.re;
    value->im = category == Complex ? value->re * x.im + value->im * x.re : 0;
    value->re = re;
    break;
  }
  case Greatest:
  case Least: {
    int isMore = operation == Greatest;
    if (category == Integer) {
      if (isMore ? x.i > value->i : x.i < value->i)
        value->i = x.i;
    } else if (fold->characters) {
      if (!fold->any || (compare(x, *value, fold->characters) > 0) == isMore)
        *value = x;
    } else if (!fold->any || value->re != value->re ||
               (isMore ? x.re > value->re : x.re < value->re)) {
      value->re = x.re;
    }
    break;
  }
  case BitsAll:
    value->i &= x.i;
    break;
  case BitsAny:
    value->i |= x.i;
    break;
  case BitsParity:
    value->i ^= x.i;
    break;
  case TruthAll:
    value->i &= x.i != 0;
    break;
  case TruthAny:
    value->i |= x.i != 0;
    break;
  case TruthCount:
    value->i += x.i != 0;
    break;
  case TruthParity:
    value->i ^= x.i != 0;
    break;
  case Norm: {
    double size = x.re < 0 ? -x.re : x.re;
    if (size > fold->scale) {
      double ratio = fold->scale / size;
      value->re = value->re * ratio * ratio + 1;
      fold->scale = size;
    } else if (size != size) {
      value->re = size;
    } else if (fold->scale != 0) {
      double ratio = size == fold->scale ? 1 : size / fold->scale;
      value->re += ratio * ratio;
    }
    break;
  }
  }
  fold->any = 1;
}

INLINE struct Value resultOf(const struct Fold *fold,
                             enum Operation operation) {
  struct Value value = fold->value;
  if (operation == Sum) {
    value.re += fold->correction[0];
    value.im += fold->correction[1];
  } else if (operation == Norm && value.re == value.re) {
    value.re = fold->scale * __nv_sqrt(value.re);
  }
  return value;
}

/// Over the whole array.
INLINE struct Value reduce(const Array *array, const Array *mask,
                           enum Operation operation) {
  enum Category category = categoryOf(array);
  struct Fold fold =
      startOf(operation, category, array->elem_len, characterKind(array));
  i64 at[MAX_RANK] = {0};
  if (elementsOf(array))
    do
      if (holds(mask, at))
        take(&fold, operation, category,
             load(elementAt(array, at), category, array->elem_len));
    while (step(array, at));
  return resultOf(&fold, operation);
}

/// The greatest or the least characters; of none the least or the greatest
/// ones that there are.
INLINE void storeText(char *to, u64 bytes, struct Value value,
                      enum Operation operation) {
  if (value.text)
    copyBytes(to, value.text, bytes);
  else
    for (u64 i = 0; i < bytes; ++i)
      to[i] = operation == Greatest ? 0 : (char)0xff;
}

/// Along dimension \p dim, from 1: the result has one dimension less. It is of
/// the array's type but for counts, which are integers of \p kind bytes.
INLINE void reduceAlong(Array *result, const Array *array, int dim,
                        const Array *mask, enum Operation operation, int kind,
                        const char *file, int line) {
  enum Category category = categoryOf(array), made = category;
  int type = array->type, rank = array->rank;
  u64 bytes = array->elem_len;
  i64 extents[MAX_RANK];
  if (dim < 1 || dim > rank)
    FORTRAN(ReportFatalUserError)
  ("DIM= is not a dimension of the array", file, line);
  if (operation == TruthCount) {
    type = integerType((u64)kind);
    made = Integer;
    bytes = (u64)kind;
  }
  for (int i = 0; i + 1 < rank; ++i)
    extents[i] = array->dim[i < dim - 1 ? i : i + 1].extent;
  i64 length = array->dim[dim - 1].extent;
  allocate(result, type, bytes, rank - 1, extents);
  i64 at[MAX_RANK] = {0}, full[MAX_RANK];
  if (!elementsOf(result))
    return;
  do {
    struct Fold fold =
        startOf(operation, category, array->elem_len, characterKind(array));
    for (i64 along = 0; along < length; ++along) {
      insertDimension(full, at, rank, dim - 1, along);
      if (holds(mask, full))
        take(&fold, operation, category,
             load(elementAt(array, full), category, array->elem_len));
    }
    struct Value value = resultOf(&fold, operation);
    if (fold.characters)
      storeText(elementAt(result, at), bytes, value, operation);
    else
      store(elementAt(result, at), made, bytes, value);
  } while (step(result, at));
}

#define ALONG(name, operation)                                                 \
  void FORTRAN(name)(Array * result, const Array *array, int dim,              \
                     const char *file, int line, const Array *mask) {          \
    reduceAlong(result, array, dim, mask, operation, 0, file, line);           \
  }
ALONG(SumDim, Sum)
ALONG(ProductDim, Product)
ALONG(MaxvalDim, Greatest)
ALONG(MinvalDim, Least)
ALONG(IAllDim, BitsAll)
ALONG(IAnyDim, BitsAny)
ALONG(IParityDim, BitsParity)

#define ALONG_UNMASKED(name, operation)                                        \
  void FORTRAN(name)(Array * result, const Array *array, int dim,              \
                     const char *file, int line) {                             \
    reduceAlong(result, array, dim, 0, operation, 0, file, line);              \
  }
ALONG_UNMASKED(AllDim, TruthAll)
ALONG_UNMASKED(AnyDim, TruthAny)
ALONG_UNMASKED(ParityDim, TruthParity)
ALONG_UNMASKED(Norm2Dim, Norm)

#define OF_CHARACTERS(name, operation)                                         \
  void FORTRAN(name)(Array * result, const Array *array, const char *file,     \
                     int line, const Array *mask) {                            \
    allocate(result, array->type, array->elem_len, 0, 0);                      \
    storeText(result->base_addr, array->elem_len,                              \
              reduce(array, mask, operation), operation);                      \
  }
OF_CHARACTERS(MaxvalCharacter, Greatest)
OF_CHARACTERS(MinvalCharacter, Least)

void FORTRAN(CountDim)(Array *result, const Array *array, int dim, int kind,
                       const char *file, int line) {
  reduceAlong(result, array, dim, 0, TruthCount, kind, file, line);
}

#define BITS(name, operation)                                                  \
  signed char FORTRAN(name##1)(const Array *array, const char *file, int line, \
                               int dim, const Array *mask) {                   \
    return (signed char)reduce(array, mask, operation).i;                      \
  }                                                                            \
  short FORTRAN(name##2)(const Array *array, const char *file, int line,       \
                         int dim, const Array *mask) {                         \
    return (short)reduce(array, mask, operation).i;                            \
  }                                                                            \
  int FORTRAN(name##4)(const Array *array, const char *file, int line,         \
                       int dim, const Array *mask) {                           \
    return (int)reduce(array, mask, operation).i;                              \
  }                                                                            \
  i64 FORTRAN(name##8)(const Array *array, const char *file, int line,         \
                       int dim, const Array *mask) {                           \
    return reduce(array, mask, operation).i;                                   \
  }
BITS(IAll, BitsAll)
BITS(IAny, BitsAny)
BITS(IParity, BitsParity)

float FORTRAN(Norm2_4)(const Array *array, const char *file, int line,
                       int dim) {
  return (float)reduce(array, 0, Norm).re;
}
double FORTRAN(Norm2_8)(const Array *array, const char *file, int line,
                        int dim) {
  return reduce(array, 0, Norm).re;
}

#define TRUTH(name, T, operation)                                              \
  T FORTRAN(name)(const Array *array, const char *file, int line, int dim) {   \
    return (T)reduce(array, 0, operation).i;                                   \
  }
TRUTH(All, _Bool, TruthAll)
TRUTH(Any, _Bool, TruthAny)
TRUTH(Parity, _Bool, TruthParity)
TRUTH(Count, i64, TruthCount)

//===----------------------------------------------------------------------===//
// Where it is
//===----------------------------------------------------------------------===//

enum Search { OfGreatest, OfLeast, OfEqual };

/// \p kind is that of characters, as in all of these.
INLINE int isEqual(struct Value a, struct Value b, enum Category category,
                   u64 kind) {
  return kind                  ? compare(a, b, kind) == 0
         : category == Integer ? a.i == b.i
         : category == Logical ? (a.i != 0) == (b.i != 0)
                               : a.re == b.re && a.im == b.im;
}

/// Whether \p x takes the place of the best one so far.
INLINE int isBetter(struct Value x, struct Value best, int any,
                    enum Search search, enum Category category, u64 kind,
                    int back) {
  if (!any)
    return 1;
  if (isEqual(x, best, category, kind))
    return back;
  if (kind)
    return (compare(x, best, kind) > 0) == (search == OfGreatest);
  if (category == Integer)
    return search == OfGreatest ? x.i > best.i : x.i < best.i;
  if (best.re != best.re)
    return x.re == x.re;
  return search == OfGreatest ? x.re > best.re : x.re < best.re;
}

/// The target as a value of the array's category; both are numbers or logical.
INLINE struct Value targetFor(const Array *target, enum Category category,
                              int *isComplex) {
  enum Category own = categoryOf(target);
  struct Value value = load(target->base_addr, own, target->elem_len);
  if (category == Integer && own != Integer) {
    // Compared as real numbers: only a whole one can be found.
    *isComplex = 1;
  } else if (own == Integer && category != Integer) {
    value.re = (double)value.i;
  }
  return value;
}

INLINE int isFound(struct Value x, struct Value target, enum Category category,
                   u64 kind, int asReal) {
  if (asReal)
    return (double)x.i == target.re && target.im == 0;
  return isEqual(x, target, category, kind);
}

/// The positions in the whole array, zeros where there is none.
INLINE void locate(Array *result, const Array *array, const Array *target,
                   int kind, const Array *mask, int back, enum Search search) {
  enum Category category = categoryOf(array);
  const u64 characters = characterKind(array);
  int asReal = 0, any = 0;
  struct Value wanted = {0, 0, 0, 0, 0}, best = wanted;
  if (search == OfEqual)
    wanted = targetFor(target, category, &asReal);
  i64 extents[1] = {array->rank}, at[MAX_RANK] = {0}, found[MAX_RANK];
  for (int i = 0; i < array->rank; ++i)
    found[i] = 0;
  if (elementsOf(array))
    do {
      if (!holds(mask, at))
        continue;
      struct Value x = load(elementAt(array, at), category, array->elem_len);
      int isIt =
          search == OfEqual
              ? isFound(x, wanted, category, characters, asReal) &&
                    (!any || back)
              : isBetter(x, best, any, search, category, characters, back);
      if (!isIt)
        continue;
      any = 1;
      best = x;
      for (int i = 0; i < array->rank; ++i)
        found[i] = at[i] + 1;
    } while (step(array, at));
  allocate(result, integerType((u64)kind), (u64)kind, 1, extents);
  for (int i = 0; i < array->rank; ++i)
    storeInteger((char *)result->base_addr + i * kind, (u64)kind, found[i]);
}

INLINE void locateAlong(Array *result, const Array *array, const Array *target,
                        int kind, int dim, const Array *mask, int back,
                        enum Search search, const char *file, int line) {
  enum Category category = categoryOf(array);
  const u64 characters = characterKind(array);
  int asReal = 0, rank = array->rank;
  struct Value wanted = {0, 0, 0, 0, 0};
  if (search == OfEqual)
    wanted = targetFor(target, category, &asReal);
  i64 extents[MAX_RANK], at[MAX_RANK] = {0}, full[MAX_RANK];
  if (dim < 1 || dim > rank)
    FORTRAN(ReportFatalUserError)
  ("DIM= is not a dimension of the array", file, line);
  for (int i = 0; i + 1 < rank; ++i)
    extents[i] = array->dim[i < dim - 1 ? i : i + 1].extent;
  allocate(result, integerType((u64)kind), (u64)kind, rank - 1, extents);
  if (!elementsOf(result))
    return;
  do {
    i64 found = 0;
    struct Value best = {0, 0, 0, 0, 0};
    for (i64 along = 0; along < array->dim[dim - 1].extent; ++along) {
      insertDimension(full, at, rank, dim - 1, along);
      if (!holds(mask, full))
        continue;
      struct Value x = load(elementAt(array, full), category, array->elem_len);
      if (search == OfEqual
              ? isFound(x, wanted, category, characters, asReal) &&
                    (!found || back)
              : isBetter(x, best, found != 0, search, category, characters,
                         back)) {
        found = along + 1;
        best = x;
      }
    }
    storeInteger(elementAt(result, at), (u64)kind, found);
  } while (step(result, at));
}

#define LOCATION(name, type, search)                                           \
  void FORTRAN(name##type)(Array * result, const Array *array, int kind,       \
                           const char *file, int line, const Array *mask,      \
                           _Bool back) {                                       \
    locate(result, array, 0, kind, mask, back, search);                        \
  }
#define LOCATIONS(name, search)                                                \
  LOCATION(name, Integer1, search)                                             \
  LOCATION(name, Integer2, search)                                             \
  LOCATION(name, Integer4, search)                                             \
  LOCATION(name, Integer8, search)                                             \
  LOCATION(name, Real4, search)                                                \
  LOCATION(name, Real8, search)                                                \
  LOCATION(name, Character, search)                                            \
  void FORTRAN(name##Dim)(Array * result, const Array *array, int kind,        \
                          int dim, const char *file, int line,                 \
                          const Array *mask, _Bool back) {                     \
    locateAlong(result, array, 0, kind, dim, mask, back, search, file, line);  \
  }
LOCATIONS(Maxloc, OfGreatest)
LOCATIONS(Minloc, OfLeast)

void FORTRAN(Findloc)(Array *result, const Array *array, const Array *target,
                      int kind, const char *file, int line, const Array *mask,
                      _Bool back) {
  locate(result, array, target, kind, mask, back, OfEqual);
}

void FORTRAN(FindlocDim)(Array *result, const Array *array, const Array *target,
                         int kind, int dim, const char *file, int line,
                         const Array *mask, _Bool back) {
  locateAlong(result, array, target, kind, dim, mask, back, OfEqual, file,
              line);
}
