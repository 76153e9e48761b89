//===- Heap.cpp - the device's heap under the checkers --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Heap.h"
#include "runtime/check/Allocations.h"
#include "runtime/check/Check.h"
#include "runtime/check/Findings.h"
#include "runtime/check/Shadow.h"
#include <cstdlib>
#include <deque>
#include <mutex>

namespace cufort::check {
namespace {

/// As much as a device's heap has (cudaLimitMallocHeapSize); what was freed
/// first goes first.
constexpr size_t MostQuarantined = size_t(8) << 20;

class Quarantine {
public:
  void add(void *block, size_t bytes) {
    std::deque<Block> gone;
    {
      std::lock_guard lock(mutex);
      blocks.push_back({block, bytes});
      held += bytes;
      while (held > MostQuarantined) {
        held -= blocks.front().bytes;
        gone.push_back(blocks.front());
        blocks.pop_front();
      }
    }
    for (const Block &each : gone) {
      forgetRelease(each.begin);
      std::free(each.begin);
    }
  }

private:
  struct Block {
    void *begin;
    size_t bytes;
  };
  std::mutex mutex;
  std::deque<Block> blocks;
  size_t held = 0;
};

Quarantine &quarantine() {
  static auto *one = new Quarantine;
  return *one;
}

} // namespace

void heapAllocated(Thread &thread, const image::CheckSite &site,
                   const void *begin, uint64_t bytes) {
  noteAllocation(begin, bytes, MemoryUse::Heap,
                 heapPlace(thread, site, Access::Allocate));
  // The host may have had it before.
  belongs(begin, bytes, /*written=*/false);
  forgetAccesses(reinterpret_cast<uintptr_t>(begin), bytes);
}

void heapFreed(Thread *thread, const image::CheckSite &site, void *block) {
  if (!block)
    return;
  Place place;
  if (thread)
    place = heapPlace(*thread, site, Access::Free);
  Allocation gone;
  if (noteRelease(block, MemoryUse::Heap, place, gone)) {
    setRange(Plane::Belongs, gone.base, gone.bytes, false);
    // At least a byte each, so that there is an end of them.
    return quarantine().add(block, gone.bytes + 1);
  }
  Allocation near;
  const auto address = reinterpret_cast<uintptr_t>(block);
  if (!nearestAllocation(address, near) || !near.holds(address))
    return std::free(block); // of code that is not checked
  if (thread && checking(image::CheckMemory))
    reportHeapFree(*thread, site, block);
}

} // namespace cufort::check
