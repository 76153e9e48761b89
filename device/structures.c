//===- structures.c - objects whose components are allocatable ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assignment and release of objects that own memory, by the words that describe
// their types: Flang calls its host library for these, and
// compiler/lower/device/StructureMemory calls what is here instead.
//
//===----------------------------------------------------------------------===//

#include "device/types.h"

// Long, seldom and about memory that has to be asked for: inlined into each
// kernel this would cost more time of compilation than the rest of it.
#pragma clang attribute push(__attribute__((noinline, cold, minsize)),         \
                             apply_to = function)

static void exhausted(const char *file, int line) {
  _FortranAReportFatalUserError(
      "the device's heap is exhausted by an assignment of objects with "
      "allocatable components (cudaDeviceSetLimit with "
      "cudaLimitMallocHeapSize makes it larger)",
      file, line);
}

static void copyObject(char *to, const char *from, u64 bytes) {
  if (((u64)to | (u64)from | bytes) % 8)
    copyBytes(to, from, bytes);
  else
    for (u64 i = 0; i < bytes; i += 8)
      *(u64 *)(to + i) = *(const u64 *)(from + i);
}

/// Objects that a walk has entered: elements of one array.
struct Level {
  char *object; ///< the next one
  i64 left;     ///< how many there are from it on
  i64 stride;
  const Type *type;
  i64 component; ///< the next one to look at, in the object
  char *memory;  ///< to be freed after the last object
};

/// In place of recursion: a GPU must know how large a thread's stack will be.
enum { Usual = 6 };
struct Stack {
  struct Level usual[Usual], *levels; ///< more come from the heap
  i64 depth, capacity;
};

static void descend(struct Stack *stack, char *object, i64 count, i64 stride,
                    const Type *type, char *memory, const char *file,
                    int line) {
  if (stack->depth == stack->capacity) {
    struct Level *more = malloc(2 * stack->capacity * sizeof(struct Level));
    if (!more)
      exhausted(file, line);
    for (i64 i = 0; i < stack->depth; ++i)
      more[i] = stack->levels[i];
    if (stack->levels != stack->usual)
      free(stack->levels);
    stack->levels = more;
    stack->capacity *= 2;
  }
  struct Level *level = &stack->levels[stack->depth++];
  level->object = object;
  level->left = count;
  level->stride = stride;
  level->type = type;
  level->component = 0;
  level->memory = memory;
}

/// Goes through everything that \p object owns: frees it, or, where the object
/// is a copy of another one, byte for byte, gives it memory of its own with the
/// same values.
static void walk(char *object, const Type *type, _Bool frees, const char *file,
                 int line) {
  struct Stack stack;
  stack.levels = stack.usual;
  stack.depth = 0;
  stack.capacity = Usual;
  descend(&stack, object, 1, type->bytes, type, 0, file, line);
  while (stack.depth) {
    struct Level *level = &stack.levels[stack.depth - 1];
    if (level->component == level->type->owners) {
      level->component = 0;
      level->object += level->stride;
      if (--level->left)
        continue;
      if (level->memory)
        free(level->memory);
      --stack.depth;
      continue;
    }
    const struct Owner *owner = &level->type->owner[level->component++];
    const Type *inner =
        (const Type *)((const i64 *)level->type + owner->distance);
    char *place = level->object + owner->offset;
    if (owner->count > 0) {
      descend(&stack, place, owner->count, inner->bytes, inner, 0, file, line);
      continue;
    }
    Array *array = (Array *)place;
    if (!array->base_addr)
      continue;
    const u64 count = elementsOf(array), bytes = count * array->elem_len;
    char *values = array->base_addr;
    array->base_addr = 0;
    if (!frees) {
      array->base_addr = malloc(bytes ? bytes : 1);
      if (!array->base_addr)
        exhausted(file, line);
      copyObject(array->base_addr, values, bytes);
      values = array->base_addr;
    }
    if (owner->count == OwningObjects && count)
      descend(&stack, values, (i64)count, (i64)array->elem_len, inner,
              frees ? values : 0, file, line);
    else if (frees)
      free(values);
  }
  if (stack.levels != stack.usual)
    free(stack.levels);
}

void __cufort_own(char *object, const Type *type, const char *file, int line) {
  walk(object, type, 0, file, line);
}

void __cufort_destroy(const Array *array, const Type *type) {
  i64 at[MAX_RANK] = {0};
  if (array->base_addr && type->owners && elementsOf(array))
    do
      walk(elementAt(array, at), type, 1, 0, 0);
    while (step(array, at));
}

void __cufort_clone(Array *to, const Array *from, const Type *type,
                    const char *file, int line) {
  i64 at[MAX_RANK] = {0}, source[MAX_RANK] = {0};
  if (!elementsOf(to))
    return;
  do {
    char *element = elementAt(to, at);
    copyObject(element, elementAt(from, source), (u64)type->bytes);
    __cufort_own(element, type, file, line);
    if (from->rank)
      step(from, source);
  } while (step(to, at));
}

static _Bool isSameShape(const Array *to, const Array *from) {
  for (int i = 0; from->rank && i < to->rank; ++i)
    if (to->dim[i].extent != from->dim[i].extent)
      return 0;
  return 1;
}

/// What is on the right may be part of what is on the left, at any depth: it
/// is copied before anything is released.
void __cufort_assign(Array *to, const Array *from, const Type *type,
                     const char *file, int line) {
  enum { Small = 16 };
  u64 buffer[Small];
  if (!from->base_addr)
    _FortranAReportFatalUserError(
        "an object that is not allocated is assigned to another", file, line);
  const _Bool fits = to->base_addr && isSameShape(to, from);
  if (!fits && to->attribute != CFI_attribute_allocatable)
    _FortranAReportFatalUserError(
        "an array is assigned to one of another shape", file, line);
  // A scalar becomes the value of all elements.
  const u64 bytes = (u64)type->bytes;
  const u64 count = elementsOf(from->rank || !fits ? from : to);
  char *values =
      count * bytes <= sizeof(buffer) ? (char *)buffer : malloc(count * bytes);
  if (!values)
    exhausted(file, line);
  i64 at[MAX_RANK] = {0};
  for (u64 i = 0; i < count; ++i) {
    copyObject(values + i * bytes, elementAt(from, at), bytes);
    __cufort_own(values + i * bytes, type, file, line);
    if (from->rank)
      step(from, at);
  }
  __cufort_destroy(to, type);
  if (!fits) {
    const unsigned char extra = to->extra;
    i64 extents[MAX_RANK], lower[MAX_RANK];
    for (int i = 0; i < to->rank; ++i) {
      extents[i] = from->rank ? from->dim[i].extent : 1;
      lower[i] = from->rank ? from->dim[i].lower_bound : 1;
    }
    free(to->base_addr);
    allocate(to, to->type, bytes, to->rank, extents);
    to->extra = extra;
    for (int i = 0; i < to->rank; ++i)
      to->dim[i].lower_bound = lower[i];
  }
  for (int i = 0; i < MAX_RANK; ++i)
    at[i] = 0;
  for (u64 i = 0; i < count; ++i) {
    copyObject(elementAt(to, at), values + i * bytes, bytes);
    step(to, at);
  }
  if (values != (char *)buffer)
    free(values);
}

/// For a variable of the compiler's that has had no value.
void __cufort_assign_temporary(Array *to, const Array *from, const Type *type,
                               const char *file, int line) {
  if (to->base_addr && !isSameShape(to, from))
    _FortranAReportFatalUserError(
        "an array is assigned to one of another shape", file, line);
  if (to->base_addr)
    __cufort_clone(to, from, type, file, line);
  else
    __cufort_assign(to, from, type, file, line);
}

/// What a variable of the program has at first.
void __cufort_initialize_elements(const Array *array, const char *initial) {
  i64 at[MAX_RANK] = {0};
  if (elementsOf(array))
    do
      copyObject(elementAt(array, at), initial, array->elem_len);
    while (step(array, at));
}

#pragma clang attribute pop
