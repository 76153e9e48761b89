//===- TransferEntries.cpp - the entry points of transfers ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/fortran/Allocation.h"
#include "runtime/fortran/EntryPoints.h"
#include "runtime/fortran/Start.h"
#include "runtime/fortran/Transfer.h"
#include <string>

using namespace cufort;
using namespace cufort::fortran;

static Mode checkedMode(unsigned mode, Place place) {
  if (mode > 2)
    stopProgram(place.file, place.line, "assignment of device data",
                cudaErrorInvalidMemcpyDirection,
                ("transfer mode " + std::to_string(mode)).c_str());
  return static_cast<Mode>(mode);
}

void _FortranACUFDataTransferPtrPtr(void *to, void *from, size_t bytes,
                                    unsigned number, const char *file,
                                    int line) {
  const Place place{file, line};
  const Mode mode = checkedMode(number, place);
  if (!bytes)
    return;
  if (!to || !from) {
    goOnOrStop(place, mode,
               to ? "the right-hand side is not associated"
                  : "the left-hand side is not associated");
    (void)recordError(cudaErrorInvalidValue);
    return;
  }
  mustSucceed(place, describe(mode), [&](Engine &e) {
    checkDeviceData(e, to, from, mode, place);
    waitDefaultStream(e, to, from);
    const Error error =
        e.copy(to, from, bytes, static_cast<CopyKind>(number + 1));
    return error == cudaSuccess ? finishCopy(e, to, mode) : error;
  });
}

void _FortranACUFDataTransferPtrDesc(void *to, CufDescriptor *from,
                                     size_t bytes, unsigned number,
                                     const char *file, int line) {
  const Place place{file, line};
  const Mode mode = checkedMode(number, place);
  if (bytes < from->bytes())
    stopProgram(file, line, describe(mode), cudaErrorInvalidValue,
                "the left-hand side is smaller than the right-hand side");
  if (!from->base && from->isPointer()) {
    goOnOrStop(place, mode, "the right-hand side is not associated");
    (void)recordError(cudaErrorInvalidValue);
    return;
  }
  if (from->elements() == 0)
    return;
  mustSucceed(place, describe(mode), [&](Engine &e) {
    checkDeviceData(e, to, from->base, mode, place);
    waitDefaultStream(e, to, from->base);
    const Error error =
        e.copyStrided(contiguousLike(from->view(), to), from->view(),
                      static_cast<CopyKind>(number + 1));
    return error == cudaSuccess ? finishCopy(e, to, mode) : error;
  });
}

void _FortranACUFDataTransferDescDesc(CufDescriptor *to, CufDescriptor *from,
                                      unsigned number, const char *file,
                                      int line) {
  const Place place{file, line};
  const Mode mode = checkedMode(number, place);
  ReplacedArray replaced(place);
  if (to->isAllocatable())
    reallocateForAssignment(*to, *from, mode != Mode::DeviceToHost, place,
                            replaced);
  assign(*to, *from, mode, place);
}

void _FortranACUFDataTransferCstDesc(CufDescriptor *to, CufDescriptor *from,
                                     unsigned number, const char *file,
                                     int line) {
  const Place place{file, line};
  const Mode mode = checkedMode(number, place);
  // A scalar that is not allocated is allocated by the assignment.
  ReplacedArray replaced(place);
  if (to->isAllocatable() && to->rank == 0 && !to->base) {
    reallocateForAssignment(*to, *from, mode != Mode::DeviceToHost, place,
                            replaced);
    syncModuleDescriptor(*to, place);
  }
  assign(*to, *from, mode, place);
}

void _FortranACUFDataTransferDescDescNoRealloc(CufDescriptor *to,
                                               CufDescriptor *from,
                                               unsigned number,
                                               const char *file, int line) {
  const Place place{file, line};
  assign(*to, *from, checkedMode(number, place), place);
}

void _FortranACUFDataTransferGlobalDescDesc(CufDescriptor *to,
                                            CufDescriptor *from, unsigned mode,
                                            const char *file, int line) {
  const void *before = to->base;
  _FortranACUFDataTransferDescDesc(to, from, mode, file, line);
  if (to->base != before || to->isAllocatable())
    syncModuleDescriptor(*to, {file, line});
}

void _FortranACUFMemsetDescriptor(CufDescriptor *to, void *value,
                                  const char *file, int line) {
  // One element of the array's own type, as a scalar right-hand side.
  Descriptor scalar = *to;
  scalar.base = value;
  scalar.rank = 0;
  scalar.extra = 0;
  assign(*to, scalar, Mode::HostToDevice, {file, line});
}
