//===- Descriptor.h - Flang's array descriptor ------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layout is that of CFI_cdesc_t in ISO_Fortran_binding.h as Flang 22 uses
// it: after the header one triple for each dimension, after those, if bit 0 of
// \c extra is set, an addendum with the derived type.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_FORTRAN_DESCRIPTOR_H
#define CUFORT_RUNTIME_FORTRAN_DESCRIPTOR_H

#include "runtime/core/Strided.h"
#include "runtime/core/engine/Engine.h"
#include <cstddef>
#include <cstdint>

namespace cufort::fortran {

struct Dimension {
  int64_t lowerBound, extent, stride; ///< stride in bytes
};

/// Numbers of CFI_type_t that the runtime distinguishes.
enum TypeCode : int8_t {
  TypeInteger8 = 7,
  TypeInteger16 = 8,
  TypeInteger32 = 9,
  TypeInteger64 = 10,
  TypeLogical16 = 13,
  TypeLogical32 = 14,
  TypeLogical64 = 15,
  TypeReal32 = 27,
  TypeReal64 = 28,
  TypeComplex32 = 34,
  TypeComplex64 = 35,
  TypeLogical8 = 39,
  TypeCharacter = 40,
  TypeDerived = 42,
  TypeUnsigned8 = 45,
  TypeUnsigned16 = 46,
  TypeUnsigned32 = 47,
  TypeUnsigned64 = 48
};

struct Descriptor {
  void *base;
  size_t elementBytes;
  int32_t version;
  uint8_t rank;
  int8_t type;
  uint8_t attribute;
  uint8_t extra;

  Dimension *dimensions() { return reinterpret_cast<Dimension *>(this + 1); }
  const Dimension *dimensions() const {
    return reinterpret_cast<const Dimension *>(this + 1);
  }

  bool isPointer() const { return attribute == 1; }
  bool isAllocatable() const { return attribute == 2; }
  bool hasAddendum() const { return extra & 1; }
  int allocator() const { return (extra >> 1) & 7; }
  void setAllocator(int allocator) {
    extra = static_cast<uint8_t>((extra & ~0x0e) | allocator << 1);
  }

  /// Its own size in bytes.
  size_t descriptorBytes() const {
    return sizeof(Descriptor) + rank * sizeof(Dimension) +
           (hasAddendum() ? 16 : 0);
  }
  size_t elements() const;
  size_t bytes() const { return elements() * elementBytes; }
  bool contiguous() const { return view().contiguous(); }
  /// The elements; rank at most MaxRank, as Fortran's.
  StridedView view() const;
  /// Strides of a contiguous array of the present extents.
  void setContiguousStrides();
};
static_assert(sizeof(Descriptor) == 24);

/// The positions in flang_rt's table of allocators.
enum Allocator : int {
  AllocatorDefault = 0,
  AllocatorPinned = 1,
  AllocatorDevice = 2,
  AllocatorManaged = 3,
  AllocatorUnified = 4
};

/// The kind of memory that \p allocator gives; AllocatorDefault is not asked
/// for.
MemoryKind memoryKind(int allocator);

/// A statement of the program, for messages.
struct Place {
  const char *file;
  int line;
};

/// Calls \p call(Engine &) and stops the program if it fails. What an earlier
/// launch left unreported comes first.
template <typename Call>
void mustSucceed(Place place, const char *what, Call call,
                 const char *detail = nullptr);

/// What \p call() returns; stops the program where the runtime finds no memory
/// for itself.
template <typename Call>
auto haveMemory(Place place, const char *what, Call call);

} // namespace cufort::fortran

#include "runtime/core/Device.h"
#include "runtime/core/LaunchFailure.h"
#include "runtime/core/process/Stop.h"

template <typename Call>
void cufort::fortran::mustSucceed(Place place, const char *what, Call call,
                                  const char *detail) {
  reportPendingLaunchFailure();
  const profile::At at(what, {place.file, place.line});
  if (Error error = onDevice(call); error != cudaSuccess) {
    // Work that failed meanwhile is the cause.
    std::string cause;
    (void)catchExhaustion([&] {
      cause = launchFailureDetail(error);
      return cudaSuccess;
    });
    stopProgram(place.file, place.line, what, error,
                cause.empty() ? detail : cause.c_str());
  }
}

template <typename Call>
auto cufort::fortran::haveMemory(Place place, const char *what, Call call) {
  try {
    const RuntimeScope scope;
    return call();
  } catch (const std::bad_alloc &) {
    stopProgram(place.file, place.line, what, cudaErrorMemoryAllocation,
                "the host's memory is exhausted");
  }
}

#endif // CUFORT_RUNTIME_FORTRAN_DESCRIPTOR_H
