//===- temporaries.c - arrays that grow, on a device ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Array constructors whose length is not known before, the values that FORALL
// and WHERE keep until all are computed, pointers that are allocated, and what
// is asked of descriptors, with the names and arguments of Flang's runtime
// (array-constructor-consts.h, temporary-stack.h, pointer.h, inquiry.h). All
// memory comes from the device's heap.
//
//===----------------------------------------------------------------------===//

#include "device/types.h"

void FORTRAN(ReportFatalUserError)(const char *what, const char *file,
                                   int line);

static void *take(u64 bytes, const char *file, int line) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory)
    FORTRAN(ReportFatalUserError)
  ("the device's heap is exhausted by a temporary array (cudaDeviceSetLimit "
   "with cudaLimitMallocHeapSize makes it larger)",
   file, line);
  return memory;
}

//===----------------------------------------------------------------------===//
// Array constructors
//===----------------------------------------------------------------------===//

/// Lies in the 80 bytes that Flang reserves.
struct Vector {
  Array *to;
  i64 next;     ///< elements so far
  i64 capacity; ///< of the memory, in elements
  const char *file;
  int line;
  _Bool takesLength; ///< the first value decides the characters' length
};

void FORTRAN(InitArrayConstructorVector)(struct Vector *vector, Array *to,
                                         _Bool useValueLengthParameters,
                                         const char *file, int line) {
  vector->to = to;
  vector->next = 0;
  vector->capacity = to->base_addr ? to->dim[0].extent : 0;
  vector->takesLength = useValueLengthParameters;
  vector->file = file;
  vector->line = line;
}

/// Makes room for \p count more elements.
static void grow(struct Vector *vector, i64 count) {
  Array *to = vector->to;
  const i64 needed = vector->next + count;
  if (to->base_addr && needed <= vector->capacity)
    return;
  const i64 capacity =
      needed > 2 * vector->capacity ? needed : 2 * vector->capacity;
  char *memory = take((u64)capacity * to->elem_len, vector->file, vector->line);
  if (to->base_addr) {
    copyBytes(memory, to->base_addr, (u64)vector->next * to->elem_len);
    free(to->base_addr);
  }
  to->base_addr = memory;
  to->dim[0].lower_bound = 1;
  to->dim[0].sm = (i64)to->elem_len;
  vector->capacity = capacity;
}

static _Bool isCharacter(const Array *array) {
  return array->type == CFI_type_char || array->type == CFI_type_char16_t ||
         array->type == CFI_type_char32_t;
}

/// A value that is shorter than the constructor's elements ends in blanks.
static void copyValue(char *to, u64 capacity, const char *from, u64 bytes) {
  copyBytes(to, from, bytes < capacity ? bytes : capacity);
  for (u64 i = bytes; i < capacity; ++i)
    to[i] = ' ';
}

static void push(struct Vector *vector, const char *from, u64 bytes) {
  Array *to = vector->to;
  char *place = (char *)to->base_addr + vector->next++ * to->dim[0].sm;
  if (bytes == to->elem_len)
    copyElement(place, from, bytes);
  else
    copyValue(place, to->elem_len, from, bytes);
  if (to->dim[0].extent < vector->next)
    to->dim[0].extent = vector->next;
}

void FORTRAN(PushArrayConstructorValue)(struct Vector *vector,
                                        const Array *from) {
  i64 at[MAX_RANK] = {0};
  Array *to = vector->to;
  if (!to->base_addr) {
    if (vector->takesLength && isCharacter(to))
      to->elem_len = from->elem_len;
    to->dim[0].extent = 0;
  }
  u64 left = elementsOf(from);
  grow(vector, (i64)left);
  for (; left; --left) {
    push(vector, elementAt(from, at), from->elem_len);
    step(from, at);
  }
}

/// What compiler/lower/device/StructureMemory calls for objects that own
/// memory.
void __cufort_push(struct Vector *vector, const Array *from, const Type *type) {
  i64 number = vector->next;
  FORTRAN(PushArrayConstructorValue)(vector, from);
  const Array *to = vector->to;
  for (; number < vector->next; ++number)
    __cufort_own((char *)to->base_addr + number * to->dim[0].sm, type,
                 vector->file, vector->line);
}

void FORTRAN(PushArrayConstructorSimpleScalar)(struct Vector *vector,
                                               const void *from) {
  if (!vector->to->base_addr)
    vector->to->dim[0].extent = 0;
  grow(vector, 1);
  push(vector, from, vector->to->elem_len);
}

//===----------------------------------------------------------------------===//
// Stacks of values and of descriptors
//===----------------------------------------------------------------------===//

struct Entry {
  Array *array; ///< with all its dimensions
};

struct Stack {
  struct Entry *entries;
  u64 used, capacity;
  const char *file;
  int line;
};

static u64 bytesOf(const Array *array) {
  return sizeof(Array) + (u64)array->rank * sizeof(CFI_dim_t);
}

static struct Stack *createStack(const char *file, int line) {
  struct Stack *stack = take(sizeof(struct Stack), file, line);
  *stack = (struct Stack){0, 0, 0, file, line};
  return stack;
}

static Array *pushEntry(struct Stack *stack, const Array *value) {
  if (stack->used == stack->capacity) {
    const u64 capacity = stack->capacity ? 2 * stack->capacity : 16;
    struct Entry *entries =
        take(capacity * sizeof(struct Entry), stack->file, stack->line);
    for (u64 i = 0; i < stack->used; ++i)
      entries[i] = stack->entries[i];
    free(stack->entries);
    stack->entries = entries;
    stack->capacity = capacity;
  }
  Array *array = take(bytesOf(value), stack->file, stack->line);
  copyBytes((char *)array, (const char *)value, bytesOf(value));
  stack->entries[stack->used++].array = array;
  return array;
}

static void entryAt(const struct Stack *stack, u64 number, Array *value) {
  const Array *array = stack->entries[number].array;
  copyBytes((char *)value, (const char *)array, bytesOf(array));
}

static void popEntry(struct Stack *stack, Array *value) {
  entryAt(stack, --stack->used, value);
  free(stack->entries[stack->used].array);
}

/// Gives \p array, which describes \p value, new memory with the same elements,
/// without gaps.
static void pack(Array *array, const Array *value, const char *file, int line) {
  i64 at[MAX_RANK] = {0};
  u64 left = elementsOf(value);
  i64 bytes = (i64)value->elem_len;
  char *to = take(left * value->elem_len, file, line);
  array->base_addr = to;
  for (int i = 0; i < value->rank; ++i) {
    array->dim[i].sm = bytes;
    bytes *= value->dim[i].extent;
  }
  for (; left; --left, to += value->elem_len) {
    copyElement(to, elementAt(value, at), value->elem_len);
    step(value, at);
  }
}

void *FORTRAN(CreateValueStack)(const char *file, int line) {
  return createStack(file, line);
}

void FORTRAN(PushValue)(struct Stack *stack, const Array *value) {
  pack(pushEntry(stack, value), value, stack->file, stack->line);
}

void FORTRAN(PopValue)(struct Stack *stack, Array *value) {
  popEntry(stack, value);
}

void FORTRAN(ValueAt)(const struct Stack *stack, u64 number, Array *value) {
  entryAt(stack, number, value);
}

void FORTRAN(DestroyValueStack)(struct Stack *stack) {
  for (u64 i = 0; i < stack->used; ++i) {
    free(stack->entries[i].array->base_addr);
    free(stack->entries[i].array);
  }
  free(stack->entries);
  free(stack);
}

void *FORTRAN(CreateDescriptorStack)(const char *file, int line) {
  return createStack(file, line);
}

void FORTRAN(PushDescriptor)(struct Stack *stack, const Array *value) {
  pushEntry(stack, value);
}

void FORTRAN(PopDescriptor)(struct Stack *stack, Array *value) {
  popEntry(stack, value);
}

void FORTRAN(DescriptorAt)(const struct Stack *stack, u64 number,
                           Array *value) {
  entryAt(stack, number, value);
}

void FORTRAN(DestroyDescriptorStack)(struct Stack *stack) {
  for (u64 i = 0; i < stack->used; ++i)
    free(stack->entries[i].array);
  free(stack->entries);
  free(stack);
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

i64 FORTRAN(Size)(const Array *array, const char *file, int line) {
  return (i64)elementsOf(array);
}

static void checkDimension(const Array *array, int dim, const char *file,
                           int line) {
  if (dim < 1 || dim > array->rank)
    FORTRAN(ReportFatalUserError)
  ("DIM= is not a dimension of the array", file, line);
}

i64 FORTRAN(SizeDim)(const Array *array, int dim, const char *file, int line) {
  checkDimension(array, dim, file, line);
  return array->dim[dim - 1].extent;
}

i64 FORTRAN(LboundDim)(const Array *array, int dim, const char *file,
                       int line) {
  checkDimension(array, dim, file, line);
  return array->dim[dim - 1].lower_bound;
}

#define EXTENTS(name, value)                                                   \
  void FORTRAN(name)(char *result, const Array *array, int kind,               \
                     const char *file, int line) {                             \
    for (int i = 0; i < array->rank; ++i, result += kind)                      \
      storeInteger(result, (u64)kind, value);                                  \
  }
EXTENTS(Shape, array->dim[i].extent)
EXTENTS(Lbound, array->dim[i].lower_bound)
EXTENTS(Ubound, array->dim[i].lower_bound + array->dim[i].extent - 1)

//===----------------------------------------------------------------------===//
// Other descriptors
//===----------------------------------------------------------------------===//

enum LowerBounds { Same, Ones, Zeros };

/// With \p type, a derived type, in the descriptor's addendum if given.
void FORTRAN(CopyAndUpdateDescriptor)(Array *to, const Array *from,
                                      const void *type,
                                      CFI_attribute_t attribute,
                                      enum LowerBounds bounds) {
  // The addendum: the type, and one word for its length parameters.
  const u64 bytes = bytesOf(from), addendum = from->extra & 1 ? 16 : 0;
  copyBytes((char *)to, (const char *)from, bytes + addendum);
  if (type && addendum)
    *(const void **)((char *)to + bytes) = type;
  to->attribute = attribute;
  for (int i = 0; bounds != Same && i < to->rank; ++i)
    to->dim[i].lower_bound = bounds == Ones ? 1 : 0;
}

_Bool FORTRAN(IsAssumedSize)(const Array *array) {
  return array->rank > 0 && array->dim[array->rank - 1].extent == -1;
}

//===----------------------------------------------------------------------===//
// Sections with gaps as actual arguments that must have none
//===----------------------------------------------------------------------===//

_Bool FORTRAN(IsContiguousUpTo)(const Array *array, int dimensions) {
  i64 bytes = (i64)array->elem_len;
  _Bool contiguous = 1;
  for (int i = 0; i < array->rank; ++i) {
    if (array->dim[i].extent == 0)
      return 1;
    if (i < dimensions && array->dim[i].extent != 1)
      contiguous &= array->dim[i].sm == bytes;
    bytes *= array->dim[i].extent;
  }
  return contiguous;
}

_Bool FORTRAN(IsContiguous)(const Array *array) {
  return FORTRAN(IsContiguousUpTo)(array, array->rank);
}

void FORTRAN(CopyInAssign)(Array *packed, const Array *section,
                           const char *file, int line) {
  FORTRAN(CopyAndUpdateDescriptor)
  (packed, section, 0, CFI_attribute_allocatable, Same);
  pack(packed, section, file, line);
}

/// \p section is null where the procedure changes nothing.
void FORTRAN(CopyOutAssign)(Array *section, Array *packed, const char *file,
                            int line) {
  if (section) {
    i64 at[MAX_RANK] = {0};
    const char *from = packed->base_addr;
    for (u64 left = elementsOf(section); left;
         --left, from += section->elem_len) {
      copyElement(elementAt(section, at), from, section->elem_len);
      step(section, at);
    }
  }
  free(packed->base_addr);
  packed->base_addr = 0;
}
