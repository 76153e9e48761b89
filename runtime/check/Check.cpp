//===- Check.cpp - the checkers, as the engine sees them ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Check.h"
#include "runtime/check/Allocations.h"
#include "runtime/check/Order.h"
#include "runtime/check/Records.h"
#include "runtime/check/Shadow.h"
#include "runtime/check/Variables.h"
#include "runtime/check/proofs/Proofs.h"
#include "runtime/check/report/Report.h"
#include <mutex>

/// Code that was compiled with --check has it if it makes streams
/// (compiler/check/HostPlaces.cpp).
extern "C" [[gnu::weak]] const uint32_t __cufort_check_streams;

namespace cufort::check {

constinit std::atomic<uint32_t> Checks{0};

void start(const image::CheckTable &table) {
  if (table.version != image::CheckVersion || !reserveShadow())
    return;
  for (uint64_t i = 0; i < table.variableCount; ++i) {
    const image::CheckVariable &variable = table.variables[i];
    if (!variable.address || !variable.bytes)
      continue;
    const auto begin = reinterpret_cast<uintptr_t>(variable.address);
    cover(begin, variable.bytes);
    setRange(Plane::Belongs, begin, variable.bytes, true);
    setRange(Plane::Written, begin, variable.bytes, true);
  }
  noteVariables(table);
  if (&__cufort_check_streams)
    noteStream();
  Checks.fetch_or(table.checks, std::memory_order_relaxed);
  start();
}

void allocated(const void *begin, size_t bytes, MemoryUse use) {
  if (!checking() || !begin)
    return;
  noteAllocation(begin, bytes, use, hostPlace(Access::Allocate));
  const auto address = reinterpret_cast<uintptr_t>(begin);
  cover(address, bytes);
  forgetAccesses(address, bytes);
  // Whoever sees that it belongs to something sees the rest.
  setRange(Plane::Written, address, bytes, use != MemoryUse::Device);
  setRange(Plane::Belongs, address, bytes, true);
}

void belongs(const void *begin, size_t bytes, bool written) {
  if (!checking() || !begin)
    return;
  const auto address = reinterpret_cast<uintptr_t>(begin);
  cover(address, bytes);
  setRange(Plane::Written, address, bytes, written);
  setRange(Plane::Belongs, address, bytes, true);
}

void released(const void *begin, size_t bytes) {
  if (!checking() || !begin)
    return;
  Allocation gone;
  noteRelease(begin, MemoryUse::Device, hostPlace(Access::Free), gone);
  setRange(Plane::Belongs, reinterpret_cast<uintptr_t>(begin), bytes, false);
}

/// A copy or fill of memory that has been freed, which nobody else has yet.
static void checkFreed(const void *begin, const char *what) {
  const auto address = reinterpret_cast<uintptr_t>(begin);
  const Chunk *chunk = chunkOf(address);
  if (chunk && !(bitsAt(chunk->belongs, address) & 1) &&
      checking(image::CheckMemory))
    reportFreedCopy(address, what);
}

void refusedCopy(const void *memory, const char *what) {
  if (memory && checking())
    checkFreed(memory, what);
}

void written(const void *begin, size_t bytes) {
  if (!checking())
    return;
  checkFreed(begin, "write");
  workAccesses(begin, bytes, RangeUse::Write);
  setRange(Plane::Written, reinterpret_cast<uintptr_t>(begin), bytes, true);
}

void copied(const void *to, const void *from, size_t bytes) {
  if (!checking())
    return;
  checkFreed(from, "read");
  checkFreed(to, "write");
  workAccesses(from, bytes, RangeUse::Read);
  workAccesses(to, bytes, RangeUse::Write);
  copyWritten(reinterpret_cast<uintptr_t>(to),
              reinterpret_cast<uintptr_t>(from), bytes);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// As many as a record can name (Records.h).
static constexpr uint32_t MostSites = 1u << SiteBits;
static std::atomic<uint32_t> SiteCount{1};
static std::atomic<const image::CheckSite *> Sites[MostSites];

uint32_t makeNumber(image::CheckSite &site) {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  if (site.number)
    return site.number;
  uint32_t number = SiteCount.load(std::memory_order_relaxed);
  if (number >= MostSites - 1)
    number = MostSites - 1;
  else {
    Sites[number].store(&site, std::memory_order_release);
    SiteCount.store(number + 1, std::memory_order_relaxed);
  }
  __atomic_store_n(&site.number, number, __ATOMIC_RELAXED);
  return number;
}

const image::CheckSite *siteWith(uint32_t number) {
  return Sites[number].load(std::memory_order_acquire);
}

} // namespace cufort::check
