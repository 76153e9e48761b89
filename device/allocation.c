//===- allocation.c - ALLOCATE and DEALLOCATE in device code --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocations that Flang does not write out (SOURCE=, STAT=, pointers), with
// the names and arguments of Flang's runtime (flang/Runtime/allocatable.h,
// pointer.h). Memory comes from the device's heap. What has no STAT= ends the
// program with the statement's line.
//
//===----------------------------------------------------------------------===//

#include "device/types.h"

void FORTRAN(ReportFatalUserError)(const char *what, const char *file,
                                   int line);
void FORTRAN(Assign)(Array *to, const Array *from, const char *file, int line);

/// The host's values of STAT=.
enum Status { Done = 0, NotAllocated = 11, IsAllocated = 12, NoMemory = 19 };

static int finish(enum Status status, _Bool hasStat, const Array *message,
                  const char *file, int line) {
  static const char *const words[] = {
      "deallocation of what is not allocated",
      "allocation of what is already allocated",
      "the device's heap is exhausted (cudaDeviceSetLimit with "
      "cudaLimitMallocHeapSize makes it larger)"};
  if (status == Done)
    return 0;
  const char *text = words[status == NotAllocated  ? 0
                           : status == IsAllocated ? 1
                                                   : 2];
  if (!hasStat)
    FORTRAN(ReportFatalUserError)(text, file, line);
  if (message && message->base_addr) {
    char *to = message->base_addr;
    for (u64 i = 0; i < message->elem_len; ++i)
      to[i] = *text ? *text++ : ' ';
  }
  return status;
}

/// Where Flang writes an allocation out.
[[gnu::cold, gnu::noinline]] void
__cufort_allocation_fails(enum Status status, const char *file, int line) {
  finish(status, 0, 0, file, line);
}

static void setBounds(Array *array, int dim, i64 lower, i64 upper) {
  array->dim[dim].lower_bound = upper < lower ? 1 : lower;
  array->dim[dim].extent = upper < lower ? 0 : upper - lower + 1;
}

static enum Status takeMemory(Array *array) {
  u64 bytes = array->elem_len;
  for (int i = 0; i < array->rank; ++i) {
    array->dim[i].sm = (i64)bytes;
    bytes *= (u64)array->dim[i].extent;
  }
  array->base_addr = malloc(bytes ? bytes : 1);
  return array->base_addr ? Done : NoMemory;
}

/// With the bounds of \p source where the statement gives none, and its values.
static enum Status takeMemoryFor(Array *array, const Array *source,
                                 const char *file, int line) {
  const enum Status status = takeMemory(array);
  if (status != Done)
    return status;
  // The new object has its length and shape: nothing is allocated again.
  const CFI_attribute_t attribute = array->attribute;
  array->attribute = CFI_attribute_other;
  FORTRAN(Assign)(array, source, file, line);
  array->attribute = attribute;
  return Done;
}

static void applyMold(Array *array, const Array *mold, int rank) {
  array->elem_len = mold->elem_len;
  for (int i = 0; i < rank && i < mold->rank; ++i)
    setBounds(array, i, mold->dim[i].lower_bound,
              mold->dim[i].lower_bound + mold->dim[i].extent - 1);
}

void FORTRAN(AllocatableSetBounds)(Array *array, int dim, i64 lower,
                                   i64 upper) {
  if (!array->base_addr)
    setBounds(array, dim, lower, upper);
}

void FORTRAN(AllocatableInitCharacterForAllocate)(Array *array, i64 length,
                                                  int kind, int rank,
                                                  int corank) {
  if (!array->base_addr)
    array->elem_len = length > 0 ? (u64)length * (u64)kind : 0;
}

void FORTRAN(AllocatableApplyMold)(Array *array, const Array *mold, int rank) {
  if (!array->base_addr)
    applyMold(array, mold, rank);
}

/// The last argument copies memory for the host's library.
int FORTRAN(AllocatableAllocate)(Array *array, i64 *asyncObject, _Bool hasStat,
                                 const Array *message, const char *file,
                                 int line, void *copy) {
  return finish(array->base_addr ? IsAllocated : takeMemory(array), hasStat,
                message, file, line);
}

int FORTRAN(AllocatableAllocateSource)(Array *array, const Array *source,
                                       _Bool hasStat, const Array *message,
                                       const char *file, int line) {
  return finish(array->base_addr ? IsAllocated
                                 : takeMemoryFor(array, source, file, line),
                hasStat, message, file, line);
}

static int release(Array *array, _Bool hasStat, const Array *message,
                   const char *file, int line) {
  if (!array->base_addr)
    return finish(NotAllocated, hasStat, message, file, line);
  free(array->base_addr);
  array->base_addr = 0;
  return 0;
}

int FORTRAN(AllocatableDeallocate)(Array *array, _Bool hasStat,
                                   const Array *message, const char *file,
                                   int line) {
  return release(array, hasStat, message, file, line);
}

int FORTRAN(MoveAlloc)(Array *to, Array *from, const void *type, _Bool hasStat,
                       const Array *message, const char *file, int line) {
  if (to == from)
    return 0;
  free(to->base_addr);
  copyBytes((char *)to, (const char *)from,
            sizeof(Array) + (u64)from->rank * sizeof(CFI_dim_t));
  from->base_addr = 0;
  return 0;
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

/// A Cray pointer: the address that the pointee has from here on.
void FORTRAN(PointerAssociateScalar)(Array *array, void *target) {
  array->base_addr = target;
}

void FORTRAN(PointerSetBounds)(Array *array, int dim, i64 lower, i64 upper) {
  setBounds(array, dim, lower, upper);
}

void FORTRAN(PointerNullifyCharacter)(Array *array, i64 length, int kind,
                                      int rank, int corank) {
  array->base_addr = 0;
  array->elem_len = length > 0 ? (u64)length * (u64)kind : 0;
}

void FORTRAN(PointerApplyMold)(Array *array, const Array *mold, int rank) {
  applyMold(array, mold, rank);
}

int FORTRAN(PointerAllocate)(Array *array, _Bool hasStat, const Array *message,
                             const char *file, int line, void *copy) {
  return finish(takeMemory(array), hasStat, message, file, line);
}

int FORTRAN(PointerAllocateSource)(Array *array, const Array *source,
                                   _Bool hasStat, const Array *message,
                                   const char *file, int line) {
  return finish(takeMemoryFor(array, source, file, line), hasStat, message,
                file, line);
}

int FORTRAN(PointerDeallocate)(Array *array, _Bool hasStat,
                               const Array *message, const char *file,
                               int line) {
  return release(array, hasStat, message, file, line);
}

_Bool FORTRAN(PointerIsAssociated)(const Array *pointer) {
  return pointer->base_addr != 0;
}

/// Of the same elements, not only the same place.
_Bool FORTRAN(PointerIsAssociatedWith)(const Array *pointer,
                                       const Array *target) {
  if (!target)
    return pointer->base_addr != 0;
  if (!pointer->base_addr || pointer->base_addr != target->base_addr ||
      pointer->rank != target->rank || !elementsOf(pointer) ||
      !pointer->elem_len)
    return 0;
  for (int i = 0; i < pointer->rank; ++i)
    if (pointer->dim[i].extent != target->dim[i].extent ||
        (pointer->dim[i].extent > 1 && pointer->dim[i].sm != target->dim[i].sm))
      return 0;
  return 1;
}

//===----------------------------------------------------------------------===//
// Variables with a memory attribute, which to Flang all of device code's are
// (what the host's entries of these names do is runtime/fortran's). Streams and
// pinned memory are the host's: neither comes from device code.
//===----------------------------------------------------------------------===//

#define ALLOCATE(name, allocated)                                              \
  int FORTRAN(name)(Array * array, i64 * stream, _Bool *pinned, _Bool hasStat, \
                    const Array *message, const char *file, int line,          \
                    _Bool onDevice) {                                          \
    return finish((allocated) ? IsAllocated : takeMemory(array), hasStat,      \
                  message, file, line);                                        \
  }
#define ALLOCATE_SOURCE(name, allocated)                                       \
  int FORTRAN(name)(Array * array, const Array *source, i64 *stream,           \
                    _Bool *pinned, _Bool hasStat, const Array *message,        \
                    const char *file, int line, _Bool onDevice) {              \
    return finish((allocated) ? IsAllocated                                    \
                              : takeMemoryFor(array, source, file, line),      \
                  hasStat, message, file, line);                               \
  }
#define DEALLOCATE(name)                                                       \
  int FORTRAN(name)(Array * array, _Bool hasStat, const Array *message,        \
                    const char *file, int line) {                              \
    return release(array, hasStat, message, file, line);                       \
  }
// With Sync: of modules. Device code knows the device's descriptor only.
ALLOCATE(CUFPointerAllocate, 0)
ALLOCATE(CUFPointerAllocateSync, 0)
ALLOCATE_SOURCE(CUFPointerAllocateSource, 0)
ALLOCATE_SOURCE(CUFPointerAllocateSourceSync, 0)
DEALLOCATE(CUFPointerDeallocate)
ALLOCATE(CUFAllocatableAllocate, array->base_addr)
ALLOCATE_SOURCE(CUFAllocatableAllocateSource, array->base_addr)
DEALLOCATE(CUFAllocatableDeallocate)

/// On the host: the device's copy of a module's descriptor becomes the same.
/// Here it is the device's that has changed; the host goes on with its own.
void FORTRAN(CUFSyncGlobalDescriptor)(void *descriptor, const char *file,
                                      int line) {}

/// What compiler/lower puts behind allocations of objects whose components have
/// initial values: \p initial is one such object.
void __cufort_initialize(const Array *array, const char *initial, int status) {
  const u64 count = status ? 0 : elementsOf(array);
  for (u64 i = 0; i < count; ++i)
    copyBytes((char *)array->base_addr + i * array->elem_len, initial,
              array->elem_len);
}

//===----------------------------------------------------------------------===//
// Objects of derived types: compiler/lower/device/StructureMemory says which
// one.
//===----------------------------------------------------------------------===//

int __cufort_allocate_source(Array *array, const Array *source,
                             const Type *type, _Bool isPointer, _Bool hasStat,
                             const Array *message, const char *file, int line) {
  const enum Status status =
      !isPointer && array->base_addr ? IsAllocated : takeMemory(array);
  if (status == Done)
    __cufort_clone(array, source, type, file, line);
  return finish(status, hasStat, message, file, line);
}

int __cufort_deallocate(Array *array, const Type *type, _Bool hasStat,
                        const Array *message, const char *file, int line) {
  __cufort_destroy(array, type);
  return release(array, hasStat, message, file, line);
}
