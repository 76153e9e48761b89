//===- characters.c - Fortran's character procedures on a device ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Flang calls on the host in its Fortran runtime for character data, for
// device code, under the same names. Functions with a descriptor as their
// result allocate it; the code that Flang makes frees it.
//
//===----------------------------------------------------------------------===//

typedef long long i64;
typedef unsigned long long u64;
typedef unsigned int u32;

#define FORTRAN(name) _FortranA##name

void *malloc(u64 bytes);
void FORTRAN(ReportFatalUserError)(const char *what, const char *file,
                                   int line);

//===----------------------------------------------------------------------===//
// Scalars. X(kind, type of a character)
//===----------------------------------------------------------------------===//

#define ALL_KINDS(X)                                                           \
  X(1, unsigned char)                                                          \
  X(2, unsigned short)                                                         \
  X(4, u32)

/// Whether SET has the character.
#define HAS(T)                                                                 \
  static _Bool has##T(const T *set, u64 length, T character) {                 \
    for (u64 i = 0; i < length; ++i)                                           \
      if (set[i] == character)                                                 \
        return 1;                                                              \
    return 0;                                                                  \
  }
typedef unsigned char Kind1;
typedef unsigned short Kind2;
typedef u32 Kind4;
HAS(Kind1)
HAS(Kind2)
HAS(Kind4)

#define SCALARS(kind, T)                                                       \
  /* The shorter one counts as if blanks followed. */                          \
  int FORTRAN(CharacterCompareScalar##kind)(const T *x, const T *y,            \
                                            u64 xLength, u64 yLength) {        \
    const u64 most = xLength > yLength ? xLength : yLength;                    \
    for (u64 i = 0; i < most; ++i) {                                           \
      const T a = i < xLength ? x[i] : ' ', b = i < yLength ? y[i] : ' ';      \
      if (a != b)                                                              \
        return a < b ? -1 : 1;                                                 \
    }                                                                          \
    return 0;                                                                  \
  }                                                                            \
  u64 FORTRAN(LenTrim##kind)(const T *x, u64 length) {                         \
    while (length && x[length - 1] == ' ')                                     \
      --length;                                                                \
    return length;                                                             \
  }                                                                            \
  u64 FORTRAN(Index##kind)(const T *x, u64 length, const T *want, u64 wanted,  \
                           _Bool back) {                                       \
    if (wanted > length)                                                       \
      return 0;                                                                \
    const u64 places = length - wanted + 1;                                    \
    for (u64 i = 0; i < places; ++i) {                                         \
      const u64 at = back ? places - 1 - i : i;                                \
      u64 same = 0;                                                            \
      while (same < wanted && x[at + same] == want[same])                      \
        ++same;                                                                \
      if (same == wanted)                                                      \
        return at + 1;                                                         \
    }                                                                          \
    return 0;                                                                  \
  }                                                                            \
  static u64 find##kind(const T *x, u64 length, const T *set, u64 setLength,   \
                        _Bool back, _Bool isIn) {                              \
    for (u64 i = 0; i < length; ++i) {                                         \
      const u64 at = back ? length - 1 - i : i;                                \
      if (hasKind##kind(set, setLength, x[at]) == isIn)                        \
        return at + 1;                                                         \
    }                                                                          \
    return 0;                                                                  \
  }                                                                            \
  u64 FORTRAN(Scan##kind)(const T *x, u64 length, const T *set, u64 setLength, \
                          _Bool back) {                                        \
    return find##kind(x, length, set, setLength, back, 1);                     \
  }                                                                            \
  u64 FORTRAN(Verify##kind)(const T *x, u64 length, const T *set,              \
                            u64 setLength, _Bool back) {                       \
    return find##kind(x, length, set, setLength, back, 0);                     \
  }
ALL_KINDS(SCALARS)

//===----------------------------------------------------------------------===//
// With a descriptor as the result
//===----------------------------------------------------------------------===//

struct Dimension {
  i64 lowerBound, extent, stride; ///< stride in bytes
};

/// Flang's descriptor, that of ISO_Fortran_binding.h.
struct Descriptor {
  unsigned char *base;
  u64 elementBytes;
  int version;
  unsigned char rank;
  signed char type;
  unsigned char attribute, extra;
  struct Dimension dimensions[15];
};

enum { TypeCharacter = 40, AttributeAllocatable = 2 };

static void copyCharacters(unsigned char *to, const unsigned char *from,
                           u64 count) {
  for (u64 i = 0; i < count; ++i)
    to[i] = from[i];
}

static void blank(unsigned char *to, u64 count) {
  for (u64 i = 0; i < count; ++i)
    to[i] = ' ';
}

/// Makes RESULT a new character variable of SHAPE's shape, contiguous; its
/// number of elements.
static u64 allocate(struct Descriptor *result, const struct Descriptor *shape,
                    u64 length, const char *file, int line) {
  if (shape->type != TypeCharacter)
    FORTRAN(ReportFatalUserError)
  ("characters of kind 2 and 4 are not supported in device code", file, line);
  result->elementBytes = length;
  result->version = shape->version;
  result->rank = shape->rank;
  result->type = shape->type;
  result->attribute = AttributeAllocatable;
  result->extra = 0;
  u64 elements = 1;
  for (u32 d = 0; d < shape->rank; ++d) {
    const i64 extent = shape->dimensions[d].extent;
    result->dimensions[d].lowerBound = 1;
    result->dimensions[d].extent = extent;
    result->dimensions[d].stride = (i64)(elements * length);
    elements *= extent > 0 ? (u64)extent : 0;
  }
  const u64 bytes = elements * length;
  result->base = malloc(bytes ? bytes : 1);
  if (!result->base)
    FORTRAN(ReportFatalUserError)
  ("the device's heap is exhausted by a character result", file, line);
  return elements;
}

/// Element NUMBER of ARRAY in Fortran's order.
static unsigned char *elementOf(const struct Descriptor *array, u64 number) {
  unsigned char *element = array->base;
  for (u32 d = 0; d < array->rank; ++d) {
    const u64 extent = (u64)array->dimensions[d].extent;
    element += (i64)(number % extent) * array->dimensions[d].stride;
    number /= extent;
  }
  return element;
}

void FORTRAN(Trim)(struct Descriptor *result, const struct Descriptor *string,
                   const char *file, int line) {
  const u64 length = FORTRAN(LenTrim1)(string->base, string->elementBytes);
  allocate(result, string, length, file, line);
  copyCharacters(result->base, string->base, length);
}

void FORTRAN(Repeat)(struct Descriptor *result, const struct Descriptor *string,
                     i64 copies, const char *file, int line) {
  const u64 length = string->elementBytes, count = copies > 0 ? copies : 0;
  allocate(result, string, count * length, file, line);
  for (u64 i = 0; i < count; ++i)
    copyCharacters(result->base + i * length, string->base, length);
}

void FORTRAN(Adjustl)(struct Descriptor *result,
                      const struct Descriptor *string, const char *file,
                      int line) {
  const u64 length = string->elementBytes;
  const u64 elements = allocate(result, string, length, file, line);
  for (u64 e = 0; e < elements; ++e) {
    const unsigned char *from = elementOf(string, e);
    unsigned char *to = result->base + e * length;
    u64 blanks = 0;
    while (blanks < length && from[blanks] == ' ')
      ++blanks;
    copyCharacters(to, from + blanks, length - blanks);
    blank(to + (length - blanks), blanks);
  }
}

void FORTRAN(Adjustr)(struct Descriptor *result,
                      const struct Descriptor *string, const char *file,
                      int line) {
  const u64 length = string->elementBytes;
  const u64 elements = allocate(result, string, length, file, line);
  for (u64 e = 0; e < elements; ++e) {
    const unsigned char *from = elementOf(string, e);
    unsigned char *to = result->base + e * length;
    const u64 used = FORTRAN(LenTrim1)(from, length);
    blank(to, length - used);
    copyCharacters(to + (length - used), from, used);
  }
}
