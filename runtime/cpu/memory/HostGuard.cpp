//===- HostGuard.cpp - host code that touches device memory ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One range of addresses, of which a first part is in use; that part is opened
// and closed as a whole. In large pages, that is hundreds of times as quick.
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/memory/HostGuard.h"
#include "runtime/core/process/FaultInjection.h"
#include <cstdint>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <vector>

namespace cufort::cpu::guard {
namespace {

constexpr size_t Page = 4096;
constexpr size_t LargePage = size_t(1) << 21;
/// Addresses alone, more than a machine has memory.
constexpr size_t RangeBytes = size_t(1) << 40;

/// Those of one size; there is room among the free ones for all of them.
struct Pieces {
  size_t number = 0;
  std::vector<char *> free = {};
};

struct Range {
  std::mutex mutex;
  char *begin = nullptr; ///< set once
  size_t used = 0;
  size_t opened = 0;               ///< of it; the same in whole large pages
  unsigned inside = 0;             ///< how many may use it
  std::map<size_t, Pieces> pieces; ///< by size
};

Range &range() {
  static auto *instance = new Range;
  return *instance;
}

size_t roundUp(size_t bytes, size_t page) {
  return (bytes + page - 1) / page * page;
}
size_t wholePages(size_t bytes) { return roundUp(bytes, Page); }

void open(Range &r) {
  if (r.used &&
      !mprotect(r.begin, roundUp(r.used, LargePage), PROT_READ | PROT_WRITE))
    r.opened = roundUp(r.used, LargePage);
}

void close(Range &r) {
  if (r.opened)
    mprotect(r.begin, r.opened, PROT_NONE);
  r.opened = 0;
}

/// Reserves the addresses; false: there is no room.
bool reserve(Range &r) {
  void *map = mmap(nullptr, RangeBytes + LargePage, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED)
    return false;
  r.begin = reinterpret_cast<char *>(
      roundUp(reinterpret_cast<uintptr_t>(map), LargePage));
  // Where the system has none, it is slower.
  madvise(r.begin, RangeBytes, MADV_HUGEPAGE);
  return true;
}

} // namespace

char *allocate(size_t bytes) {
  const size_t whole = wholePages(bytes);
  Range &r = range();
  std::lock_guard lock(r.mutex);
  Pieces &pieces = r.pieces[whole];
  if (!pieces.free.empty()) {
    char *begin = pieces.free.back();
    pieces.free.pop_back();
    return begin;
  }
  pieces.free.reserve(pieces.number + 1);
  if (faultDue("map"))
    return nullptr;
  if (!r.begin && !reserve(r))
    return nullptr;
  if (whole > RangeBytes - r.used)
    return nullptr;
  char *begin = r.begin + r.used;
  // What runs now may be told of it.
  const size_t end = roundUp(r.used + whole, LargePage);
  if (r.inside && end > r.opened) {
    if (mprotect(r.begin + r.opened, end - r.opened, PROT_READ | PROT_WRITE))
      return nullptr;
    r.opened = end;
  }
  r.used += whole;
  ++pieces.number;
  return begin;
}

void release(char *begin, size_t bytes) {
  const size_t whole = wholePages(bytes);
  Range &r = range();
  std::lock_guard lock(r.mutex);
  madvise(begin, whole, MADV_DONTNEED);
  r.pieces[whole].free.push_back(begin);
}

bool holds(const void *address) {
  const char *begin = range().begin;
  return begin && address >= begin && address < begin + RangeBytes;
}

void enter() {
  Range &r = range();
  std::lock_guard lock(r.mutex);
  if (!r.inside++)
    open(r);
}

void leave() {
  Range &r = range();
  std::lock_guard lock(r.mutex);
  if (!--r.inside)
    close(r);
}

} // namespace cufort::cpu::guard
