//===- Shadow.h - what is known of each byte of device memory ---*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory in chunks of 1 MB. A chunk in which there is device memory has a bit
// for each byte that says whether it belongs to something, one that says
// whether it has been written, and for each word of four bytes the last write
// and two reads by different threads, as records of 64 bits (Records.h). Only
// touched pages of all that are memory.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_SHADOW_H
#define CUFORT_RUNTIME_CHECK_SHADOW_H

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cufort::check {

/// A megabyte: the table of chunks has a pointer for each in the address space,
/// of which few pages are touched, and a small allocation has one chunk.
inline constexpr unsigned ChunkBits = 20;
inline constexpr uintptr_t ChunkBytes = uintptr_t(1) << ChunkBits;
/// User space of x86-64.
inline constexpr unsigned AddressBits = 47;

/// What is remembered of a word of four bytes.
struct Cell {
  uint64_t write; ///< the last one
  uint64_t read;  ///< one since then, or before it where that did not order it
  uint64_t other; ///< another thread's
};

struct Chunk {
  Cell cells[ChunkBytes / 4];
  uint64_t belongs[ChunkBytes / 64];
  uint64_t written[ChunkBytes / 64];
};

extern std::atomic<std::atomic<Chunk *> *> Chunks;

/// The chunk of \p address; null: nothing of a device is near.
inline Chunk *chunkOf(uintptr_t address) {
  if (address >> AddressBits)
    return nullptr;
  return Chunks.load(std::memory_order_relaxed)[address >> ChunkBits].load(
      std::memory_order_acquire);
}

/// The bits of \p bytes (up to 56) from \p address on, all in one chunk.
inline uint64_t bitsAt(const uint64_t *plane, uintptr_t address) {
  const uintptr_t offset = address & (ChunkBytes - 1);
  uint64_t word;
  __builtin_memcpy(&word, reinterpret_cast<const char *>(plane) + (offset >> 3),
                   sizeof word);
  return word >> (offset & 7);
}

/// Sets bits without losing those that other workers set.
inline void setBits(uint64_t *plane, uintptr_t address, uint64_t mask) {
  const uintptr_t offset = address & (ChunkBytes - 1);
  auto *words = plane + (offset >> 6);
  const unsigned shift = offset & 63;
  __atomic_fetch_or(words, mask << shift, __ATOMIC_RELAXED);
  if (shift && mask >> (64 - shift))
    __atomic_fetch_or(words + 1, mask >> (64 - shift), __ATOMIC_RELAXED);
}

enum class Plane { Belongs, Written };

/// How often bytes that may have been written have ceased to be so.
extern std::atomic<uint64_t> TimesUnset;

/// Makes the shadow of what lies at \p address, if it has none.
void cover(uintptr_t address, size_t bytes);
/// Sets or clears all bits of a range.
void setRange(Plane plane, uintptr_t address, size_t bytes, bool value);
/// The first byte of a range whose bit is not set; its end if all are.
uintptr_t firstClear(Plane plane, uintptr_t address, size_t bytes);
/// The bits of \p from become those of \p to; memory without a shadow counts as
/// written.
void copyWritten(uintptr_t to, uintptr_t from, size_t bytes);
/// Forgets who has accessed a range.
void forgetAccesses(uintptr_t address, size_t bytes);

/// Reserves the table of chunks; false: there is no room.
bool reserveShadow();

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_SHADOW_H
