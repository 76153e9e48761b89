//===- Shadow.cpp - what is known of each byte of device memory -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Shadow.h"
#include <algorithm>
#include <cstring>
#include <mutex>
#include <sys/mman.h>

namespace cufort::check {

constinit std::atomic<std::atomic<Chunk *> *> Chunks{nullptr};
constinit std::atomic<uint64_t> TimesUnset{0};
static std::mutex ChunkMutex;

static void *reserve(size_t bytes) {
  void *map = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return map == MAP_FAILED ? nullptr : map;
}

bool reserveShadow() {
  if (Chunks.load(std::memory_order_relaxed))
    return true;
  auto *table = static_cast<std::atomic<Chunk *> *>(
      reserve(sizeof(Chunk *) << (AddressBits - ChunkBits)));
  Chunks.store(table, std::memory_order_release);
  return table;
}

void cover(uintptr_t address, size_t bytes) {
  std::lock_guard lock(ChunkMutex);
  for (uintptr_t i = address >> ChunkBits;
       i <= (address + std::max<size_t>(bytes, 1) - 1) >> ChunkBits; ++i) {
    std::atomic<Chunk *> &entry = Chunks.load(std::memory_order_relaxed)[i];
    if (entry.load(std::memory_order_relaxed))
      continue;
    // A few bytes more: reads of bits may go past the last.
    if (auto *made = static_cast<Chunk *>(reserve(sizeof(Chunk) + 64)))
      entry.store(made, std::memory_order_release);
  }
}

/// Calls \p visit(chunk, address, bytes) for the pieces of a range in chunks.
template <typename Visit>
static void inChunks(uintptr_t address, size_t bytes, Visit visit) {
  while (bytes) {
    const size_t piece =
        std::min<size_t>(bytes, ChunkBytes - (address & (ChunkBytes - 1)));
    if (!visit(chunkOf(address), address, piece))
      return;
    address += piece;
    bytes -= piece;
  }
}

static uint64_t *planeOf(Chunk &chunk, Plane plane) {
  return plane == Plane::Belongs ? chunk.belongs : chunk.written;
}

static uint64_t maskOf(unsigned first, unsigned count) {
  return (count >= 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1) << first;
}

void setRange(Plane plane, uintptr_t address, size_t bytes, bool value) {
  if (plane == Plane::Written && !value)
    TimesUnset.fetch_add(1, std::memory_order_release);
  inChunks(address, bytes, [&](Chunk *chunk, uintptr_t begin, size_t count) {
    if (!chunk)
      return true;
    uint64_t *words = planeOf(*chunk, plane);
    uintptr_t offset = begin & (ChunkBytes - 1);
    while (count) {
      const unsigned bit = offset & 63;
      if (bit == 0 && count >= 64) {
        const size_t whole = count / 64;
        std::memset(words + (offset >> 6), value ? 0xff : 0, whole * 8);
        offset += whole * 64;
        count -= whole * 64;
        continue;
      }
      const unsigned piece = std::min<size_t>(count, 64 - bit);
      const uint64_t mask = maskOf(bit, piece);
      if (value)
        __atomic_fetch_or(words + (offset >> 6), mask, __ATOMIC_RELAXED);
      else
        __atomic_fetch_and(words + (offset >> 6), ~mask, __ATOMIC_RELAXED);
      offset += piece;
      count -= piece;
    }
    return true;
  });
}

uintptr_t firstClear(Plane plane, uintptr_t address, size_t bytes) {
  uintptr_t found = address + bytes;
  inChunks(address, bytes, [&](Chunk *chunk, uintptr_t begin, size_t count) {
    if (!chunk) {
      found = begin;
      return plane == Plane::Written ? (found = address + bytes, true) : false;
    }
    const uint64_t *words = planeOf(*chunk, plane);
    uintptr_t offset = begin & (ChunkBytes - 1);
    for (uintptr_t at = begin; count;) {
      const unsigned bit = offset & 63;
      // Long runs, of which nothing is clear as a rule.
      constexpr size_t Words = 32;
      while (bit == 0 && count >= Words * 64) {
        uint64_t all = ~uint64_t(0);
        for (size_t i = 0; i < Words; ++i)
          all &= words[(offset >> 6) + i];
        if (all != ~uint64_t(0))
          break;
        offset += Words * 64;
        at += Words * 64;
        count -= Words * 64;
      }
      if (!count)
        break;
      const unsigned piece = std::min<size_t>(count, 64 - bit);
      uint64_t clear = ~words[offset >> 6] & maskOf(bit, piece);
      // Others' memory counts as written.
      if (plane == Plane::Written)
        clear &= chunk->belongs[offset >> 6];
      if (clear) {
        found = at + (__builtin_ctzll(clear) - bit);
        return false;
      }
      offset += piece;
      at += piece;
      count -= piece;
    }
    return true;
  });
  return found;
}

void copyWritten(uintptr_t to, uintptr_t from, size_t bytes) {
  // Runs of bytes that are alike.
  while (bytes) {
    const uintptr_t clear = firstClear(Plane::Written, from, bytes);
    const size_t set = clear - from;
    if (set) {
      setRange(Plane::Written, to, set, true);
      to += set;
      from += set;
      bytes -= set;
      continue;
    }
    size_t run = 1;
    while (run < bytes &&
           firstClear(Plane::Written, from + run, 1) == from + run)
      ++run;
    setRange(Plane::Written, to, run, false);
    to += run;
    from += run;
    bytes -= run;
  }
}

/// Whole pages go back to the system instead of being touched.
static void clear(char *begin, char *end) {
  constexpr uintptr_t Page = 4096;
  const auto pageOf = [](char *at, uintptr_t more) {
    return reinterpret_cast<char *>((reinterpret_cast<uintptr_t>(at) + more) &
                                    ~(Page - 1));
  };
  char *const first = pageOf(begin, Page - 1), *const last = pageOf(end, 0);
  if (first >= last) {
    std::memset(begin, 0, static_cast<size_t>(end - begin));
    return;
  }
  std::memset(begin, 0, static_cast<size_t>(first - begin));
  madvise(first, static_cast<size_t>(last - first), MADV_DONTNEED);
  std::memset(last, 0, static_cast<size_t>(end - last));
}

void forgetAccesses(uintptr_t address, size_t bytes) {
  inChunks(address, bytes, [&](Chunk *chunk, uintptr_t begin, size_t count) {
    if (chunk) {
      const uintptr_t first = (begin & (ChunkBytes - 1)) >> 2;
      const uintptr_t last = ((begin & (ChunkBytes - 1)) + count + 3) >> 2;
      clear(reinterpret_cast<char *>(&chunk->cells[first]),
            reinterpret_cast<char *>(&chunk->cells[last]));
    }
    return true;
  });
}

} // namespace cufort::check
