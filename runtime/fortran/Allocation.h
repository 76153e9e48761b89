//===- Allocation.h - allocate and deallocate -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_FORTRAN_ALLOCATION_H
#define CUFORT_RUNTIME_FORTRAN_ALLOCATION_H

#include "runtime/core/engine/Engine.h"
#include "runtime/fortran/Descriptor.h"

namespace cufort::fortran {

/// The memory that an array had before an assignment whose right side lies in
/// it (a = a(1:n)); freed at the end of its life.
class ReplacedArray {
public:
  explicit ReplacedArray(Place place) : place(place) { array().base = nullptr; }
  ReplacedArray(const ReplacedArray &) = delete;
  ReplacedArray &operator=(const ReplacedArray &) = delete;
  ~ReplacedArray();
  Descriptor &array() { return *reinterpret_cast<Descriptor *>(storage); }

private:
  alignas(Descriptor) char storage[sizeof(Descriptor) +
                                   MaxRank * sizeof(Dimension) + 16];
  Place place;
};

/// Gives the allocatable \p to the shape of \p from if it is not allocated or
/// has another; keeps it otherwise, and where \p from is a scalar. \p device
/// says where an array without an allocator of its own lives. What \p to had
/// goes to \p replaced where \p from lies in it.
void reallocateForAssignment(Descriptor &to, const Descriptor &from,
                             bool device, Place place, ReplacedArray &replaced);

/// The stream that the array around \p address belongs to, in whose order it is
/// freed; null if none.
StreamHandle associatedStream(const void *address);

/// Whether \p address lies in memory that devices reach: theirs, or the host's
/// that is pinned, of which a program may have asked for the device's address.
bool isKnownMemory(const void *address);

/// Frees \p memory where no statement asks for it. That a reset of the device
/// has freed it is no failure there.
Error releaseAtEnd(Engine &engine, void *memory, MemoryKind kind);

} // namespace cufort::fortran

#endif // CUFORT_RUNTIME_FORTRAN_ALLOCATION_H
