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

#include "runtime/core/process/FaultInjection.h"
#include "runtime/core/process/Stop.h"
#include "runtime/fortran/Components.h"
#include "runtime/fortran/EntryPoints.h"
#include <cstdlib>
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
void _FortranAPushArrayConstructorValue(void *vector, const CufDescriptor &);
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

/// The beginning of flang_rt's ArrayConstructorVector.
struct ArrayConstructor {
  CufDescriptor *to;
  int64_t next; ///< how many elements there are
};

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
  placeComponents(to, place);
}

void assignSource(CufDescriptor &to, const CufDescriptor &from, Place place) {
  inFlang(place, [&](Fortran::runtime::Terminator &terminator) {
    Fortran::runtime::DoFromSourceAssign(
        reinterpret_cast<Fortran::runtime::Descriptor &>(to),
        reinterpret_cast<const Fortran::runtime::Descriptor &>(from),
        terminator, copyBytes);
  });
  placeComponents(to, place);
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

void _FortranACUFRecordPushArrayConstructorValue(void *vector,
                                                 const CufDescriptor &value) {
  const Place place{nullptr, 0};
  const char *const what =
      "array constructor of records with device components";
  if (value.rank > 1)
    stopProgram(nullptr, 0, what, cudaErrorNotSupported,
                "a value of more than one dimension: name its columns");
  // flang_rt's function would copy the components by itself. It gets records
  // without any, for which it makes room, and these are assigned to.
  const size_t elements = value.elements();
  void *const blank =
      elements ? haveMemory(place, what,
                            [&] { return allocateBytes(value.bytes()); })
               : nullptr;
  if (elements && !blank)
    stopProgram(nullptr, 0, what, cudaErrorMemoryAllocation,
                "the host's memory is exhausted");
  alignas(Descriptor) char copies[2][256];
  std::memcpy(copies[0], &value, value.descriptorBytes());
  auto &empty = reinterpret_cast<CufDescriptor &>(copies[0]);
  empty.base = blank;
  empty.setContiguousStrides();
  if (elements) {
    std::memset(blank, 0, value.bytes());
    _FortranAInitialize(empty, nullptr, 0);
  }
  _FortranAPushArrayConstructorValue(vector, empty);
  const auto &constructor = *static_cast<ArrayConstructor *>(vector);
  std::free(blank);
  if (!elements)
    return;
  // The same shape, where flang_rt has put it.
  std::memcpy(copies[1], &value, value.descriptorBytes());
  auto &target = reinterpret_cast<CufDescriptor &>(copies[1]);
  target.base = static_cast<char *>(constructor.to->base) +
                (size_t(constructor.next) - elements) * value.elementBytes;
  target.setContiguousStrides();
  assignRecord(target, value, place, PolymorphicLeft);
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
