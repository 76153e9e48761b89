//===- Check.h - the checkers, as the engine sees them ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the rest of the runtime tells the checkers of programs that were
// compiled with --check. In other programs all of it is one comparison.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_CHECK_H
#define CUFORT_RUNTIME_CHECK_CHECK_H

#include "image/Check.h"
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cufort::check {

/// Bits of image::CheckKind; 0 in a program without checks.
extern std::atomic<uint32_t> Checks;

inline bool checking() { return Checks.load(std::memory_order_relaxed) != 0; }
inline bool checking(image::CheckKind kind) {
  return Checks.load(std::memory_order_relaxed) & kind;
}

/// A part of the program with \p table was loaded.
void start(const image::CheckTable &table);

enum class MemoryUse : uint8_t {
  Device,
  Managed,
  Host,
  Heap ///< the device's heap
};

/// Memory that device code reaches begins to exist; that of the host may have
/// a value.
void allocated(const void *begin, size_t bytes, MemoryUse use);
/// Kernels may use memory that is no allocation: of the device's heap, or of
/// the engine's own.
void belongs(const void *begin, size_t bytes, bool written);
/// It is freed.
void released(const void *begin, size_t bytes);
/// The host or a copy writes \p bytes at \p begin.
void written(const void *begin, size_t bytes);
/// A copy, of what was never written as well.
void copied(const void *to, const void *from, size_t bytes);
/// A library has run on the device, of which it is not known what it wrote: all
/// of the device's memory has a value from now on.
void libraryRan();
/// The host asks for a copy or fill of \p memory that CUDA refuses; null: not
/// that. \p what: "read" or "write".
void refusedCopy(const void *memory, const char *what);

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_CHECK_H
