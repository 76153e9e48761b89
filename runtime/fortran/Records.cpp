//===- Records.cpp - records of the host with device components -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// flang_rt knows how records are assigned: defined assignment of components,
// allocation, finalisation. It copies bytes by a function that it is given,
// which here looks where the bytes lie.
//
//===----------------------------------------------------------------------===//

#include "runtime/fortran/EntryPoints.h"
#include <cstring>

// flang_rt's own functions and the little of their types that is needed.
namespace Fortran::runtime {
class Descriptor;
/// The layout of flang_rt's class.
struct TerminatorLayout {
  const char *file;
  int line;
};
class Terminator;
using Copy = void *(*)(void *, const void *, std::size_t);
void Assign(Descriptor &, const Descriptor &, Terminator &, int flags, Copy);
void DoFromSourceAssign(Descriptor &, const Descriptor &, Terminator &, Copy);
} // namespace Fortran::runtime

extern "C" {
void _FortranAInitialize(const CufDescriptor &, const char *file, int line);
int _FortranAAllocatableAllocate(CufDescriptor &, int64_t *async, bool hasStat,
                                 const CufDescriptor *errMsg, const char *file,
                                 int line, Fortran::runtime::Copy);
int _FortranAPointerAllocate(CufDescriptor &, bool hasStat,
                             const CufDescriptor *errMsg, const char *file,
                             int line, Fortran::runtime::Copy);
}

using namespace cufort;
using namespace cufort::fortran;

namespace {

// flang_rt's flags of assignments.
constexpr int MaybeReallocate = 1, NeedFinalization = 2,
              ComponentCanBeDefined = 8, PolymorphicLeft = 32;

thread_local Place assignment;

bool isOnDevice(const void *address) {
  PointerDescription description;
  return onDevice([&](Engine &e) {
           return e.describe(address, &description);
         }) == cudaSuccess &&
         description.type == PointerDescription::Device;
}

void *copyBytes(void *to, const void *from, size_t bytes) {
  if (!bytes)
    return to;
  if (!isOnDevice(to) && !isOnDevice(from))
    return std::memmove(to, from, bytes);
  mustSucceed(
      assignment, "assignment of a record with device components",
      [&](Engine &e) { return e.copy(to, from, bytes, CopyKind::Default); });
  return to;
}

/// Calls one of flang_rt's functions with what it takes for a Terminator.
template <typename Call> void inFlang(Place place, Call call) {
  const Place outer = assignment;
  assignment = place;
  Fortran::runtime::TerminatorLayout terminator{place.file, place.line};
  call(reinterpret_cast<Fortran::runtime::Terminator &>(terminator));
  assignment = outer;
}

void assignRecord(CufDescriptor &to, const CufDescriptor &from, Place place,
                  int flags) {
  inFlang(place, [&](Fortran::runtime::Terminator &terminator) {
    Fortran::runtime::Assign(
        reinterpret_cast<Fortran::runtime::Descriptor &>(to),
        reinterpret_cast<const Fortran::runtime::Descriptor &>(from),
        terminator, flags, copyBytes);
  });
}

void assignSource(CufDescriptor &to, const CufDescriptor &from, Place place) {
  inFlang(place, [&](Fortran::runtime::Terminator &terminator) {
    Fortran::runtime::DoFromSourceAssign(
        reinterpret_cast<Fortran::runtime::Descriptor &>(to),
        reinterpret_cast<const Fortran::runtime::Descriptor &>(from),
        terminator, copyBytes);
  });
}

} // namespace

void _FortranACUFRecordAssign(CufDescriptor &to, const CufDescriptor &from,
                              const char *file, int line) {
  assignRecord(to, from, {file, line},
               MaybeReallocate | NeedFinalization | ComponentCanBeDefined);
}

void _FortranACUFRecordAssignTemporary(CufDescriptor &to,
                                       const CufDescriptor &from,
                                       const char *file, int line) {
  if (to.base && to.type == TypeDerived && to.hasAddendum())
    _FortranAInitialize(to, file, line);
  assignRecord(to, from, {file, line}, MaybeReallocate | PolymorphicLeft);
}

void _FortranACUFRecordAssignPolymorphic(CufDescriptor &to,
                                         const CufDescriptor &from,
                                         const char *file, int line) {
  assignRecord(to, from, {file, line},
               MaybeReallocate | NeedFinalization | ComponentCanBeDefined |
                   PolymorphicLeft);
}

int _FortranACUFRecordAllocateSource(CufDescriptor &array,
                                     const CufDescriptor &source, bool hasStat,
                                     const CufDescriptor *errMsg,
                                     const char *file, int line) {
  const int stat = _FortranAAllocatableAllocate(array, nullptr, hasStat, errMsg,
                                                file, line, std::memcpy);
  if (!stat)
    assignSource(array, source, {file, line});
  return stat;
}

int _FortranACUFRecordPointerAllocateSource(CufDescriptor &pointer,
                                            const CufDescriptor &source,
                                            bool hasStat,
                                            const CufDescriptor *errMsg,
                                            const char *file, int line) {
  const int stat = _FortranAPointerAllocate(pointer, hasStat, errMsg, file,
                                            line, std::memcpy);
  if (!stat)
    assignSource(pointer, source, {file, line});
  return stat;
}
