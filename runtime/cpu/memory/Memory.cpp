//===- Memory.cpp - device memory on the CPU ------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/memory/Memory.h"
#include "runtime/check/Check.h"
#include "runtime/core/ScopedMemory.h"
#include "runtime/core/process/FaultInjection.h"
#include "runtime/cpu/memory/HostGuard.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace cufort::cpu {
namespace {

constexpr size_t Alignment = 256;
/// From here on memory comes from mmap in huge pages: fewer faults at the first
/// touch, and given back at once.
constexpr size_t BigBytes = size_t(4) << 20;
/// Smaller pieces than these are the C library's.
constexpr size_t BlockBytes = size_t(64) << 10;
constexpr size_t MostBlockBytes = size_t(64) << 20;
constexpr size_t HugePage = size_t(2) << 20;

size_t readNumber(const char *path, const char *format) {
  size_t number = 0;
  if (FILE *file = std::fopen(path, "re")) {
    char line[256];
    while (std::fgets(line, sizeof(line), file))
      if (std::sscanf(line, format, &number) == 1)
        break;
    std::fclose(file);
  }
  return number;
}

size_t physicalBytes() {
  size_t bytes = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) *
                 static_cast<size_t>(sysconf(_SC_PAGESIZE));
  if (size_t group = readNumber("/sys/fs/cgroup/memory.max", "%zu"))
    bytes = std::min(bytes, group);
  return bytes;
}

size_t mappedBytes(size_t bytes) {
  return (bytes + HugePage - 1) / HugePage * HugePage;
}

/// From a page on, device memory has its pages for itself, so that it can be
/// shared with other processes.
size_t alignmentOf(size_t bytes, MemoryKind kind, const Pool *pool) {
  return kind == MemoryKind::Device &&
                 (bytes >= Page || (pool && pool->file >= 0))
             ? Page
             : Alignment;
}

size_t wholeBytes(size_t bytes, size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Where accesses are checked, what lies right behind an allocation is
/// nobody's.
size_t withGap(size_t bytes) {
  // At least the alignment of allocations, so that it is never empty.
  constexpr size_t Gap = 512;
  return check::checking() ? bytes + Gap : bytes;
}

/// Whether host code must not touch it (CUFORT_CPU_GUARD).
bool isGuarded(MemoryKind kind) {
  return kind == MemoryKind::Device && guard::isOn();
}

/// \p bytes at a huge page's boundary; null if there is no room.
char *mapBig(size_t bytes) {
  const size_t wanted = mappedBytes(bytes);
  if (faultDue("map"))
    return nullptr;
  void *map = mmap(nullptr, wanted + HugePage, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED)
    return nullptr;
  char *begin = static_cast<char *>(map);
  const size_t misfit = reinterpret_cast<uintptr_t>(begin) % HugePage;
  const size_t before = misfit ? HugePage - misfit : 0;
  if (before)
    munmap(begin, before);
  if (before < HugePage)
    munmap(begin + before + wanted, HugePage - before);
  madvise(begin + before, wanted, MADV_HUGEPAGE);
  return begin + before;
}

} // namespace

Pool::~Pool() {
  if (file >= 0)
    close(file);
}

Memory::Memory(size_t limit, int device, unsigned shares)
    : limit(limit ? limit : physicalBytes() / shares), device(device),
      keepLimit(std::min(this->limit / 8, size_t(1) << 30)) {}

size_t Memory::availableBytes() {
  return readNumber("/proc/meminfo", "MemAvailable: %zu kB") << 10;
}

Memory::Table &Memory::table() {
  static auto *instance = new Table;
  return *instance;
}

Memory::Allocation *Memory::locate(Table &table, const void *pointer) {
  auto *address = const_cast<char *>(static_cast<const char *>(pointer));
  auto after = table.allocations.upper_bound(address);
  if (after == table.allocations.begin())
    return nullptr;
  Allocation &allocation = std::prev(after)->second;
  return address < allocation.begin + allocation.bytes ? &allocation : nullptr;
}

//===----------------------------------------------------------------------===//
// Pieces that are kept
//===----------------------------------------------------------------------===//

/// A kept piece for \p bytes that is not much larger; null: none.
char *Memory::takeKept(size_t bytes) {
  const size_t wanted = mappedBytes(bytes);
  auto found = keptPieces.lower_bound(wanted);
  if (found == keptPieces.end() || found->first > wanted + wanted / 4)
    return nullptr;
  char *begin = found->second;
  kept -= found->first;
  // Its tail would not be known any more.
  if (found->first > wanted)
    munmap(begin + wanted, found->first - wanted);
  keptPieces.erase(found);
  return begin;
}

void Memory::keep(char *begin, size_t bytes) {
  const size_t mapped = mappedBytes(bytes);
  if (kept + mapped > keepLimit) {
    munmap(begin, mapped);
    return;
  }
  try {
    keptPieces.emplace(mapped, begin);
    kept += mapped;
  } catch (const std::bad_alloc &) {
    munmap(begin, mapped);
  }
}

char *Memory::takeBlock(size_t bytes, size_t alignment) {
  auto found = keptBlocks.find({bytes, alignment});
  if (found == keptBlocks.end())
    return nullptr;
  char *begin = found->second;
  keptBlocks.erase(found);
  keptBlockBytes -= bytes;
  return begin;
}

void Memory::releaseBlock(char *begin, size_t bytes, size_t alignment) {
  if (bytes < BlockBytes ||
      keptBlockBytes + bytes > std::min(MostBlockBytes, keepLimit)) {
    std::free(begin);
    return;
  }
  try {
    keptBlocks.emplace(std::pair(bytes, alignment), begin);
    keptBlockBytes += bytes;
  } catch (const std::bad_alloc &) {
    std::free(begin);
  }
}

void Memory::dropKept() {
  for (auto [size, begin] : keptBlocks)
    std::free(begin);
  keptBlocks.clear();
  keptBlockBytes = 0;
  for (auto [bytes, begin] : keptPieces)
    munmap(begin, bytes);
  keptPieces.clear();
  kept = 0;
}

void Memory::trim() {
  std::lock_guard lock(table().mutex);
  dropKept();
}

//===----------------------------------------------------------------------===//
// Allocating and freeing
//===----------------------------------------------------------------------===//

Error Memory::allocate(void **memory, size_t bytes, MemoryKind kind,
                       unsigned flags, const std::shared_ptr<Pool> &pool) {
  *memory = nullptr;
  if (!bytes)
    return cudaSuccess;
  Table &t = table();
  std::lock_guard lock(t.mutex);
  if (bytes > limit || used + bytes > limit)
    return cudaErrorMemoryAllocation;
  char *begin;
  if (isGuarded(kind)) {
    begin = guard::allocate(withGap(bytes));
  } else if (bytes >= BigBytes) {
    const size_t wanted = withGap(bytes);
    begin = takeKept(wanted);
    if (!begin) {
      if (availableBytes() < bytes)
        dropKept();
      const size_t available = availableBytes();
      if (available && bytes > available)
        return cudaErrorMemoryAllocation;
      begin = mapBig(wanted);
    }
  } else {
    const size_t alignment = alignmentOf(bytes, kind, pool.get());
    const size_t whole = wholeBytes(withGap(bytes), alignment);
    begin = takeBlock(whole, alignment);
    if (!begin)
      begin = static_cast<char *>(allocateBytes(alignment, whole));
  }
  if (!begin)
    return cudaErrorMemoryAllocation;
  Allocation allocation{begin, bytes, kind,   flags, false,
                        false, this,  device, pool};
  used += bytes;
  if (pool) {
    pool->used += bytes;
    pool->usedHigh = std::max(pool->usedHigh, pool->used);
    pool->reservedHigh = std::max(pool->reservedHigh, pool->used);
  }
  try {
    t.allocations.emplace(begin, allocation);
  } catch (const std::bad_alloc &) {
    giveBack(allocation);
    throw;
  }
  check::allocated(begin, bytes,
                   kind == MemoryKind::Device    ? check::MemoryUse::Device
                   : kind == MemoryKind::Managed ? check::MemoryUse::Managed
                                                 : check::MemoryUse::Host);
  *memory = begin;
  return cudaSuccess;
}

void Memory::giveBack(const Allocation &allocation) {
  if (allocation.imported) {
    munmap(allocation.begin, sharedBytes(allocation.bytes));
    return;
  }
  used -= allocation.bytes;
  if (allocation.pool)
    allocation.pool->used -= allocation.bytes;
  if (allocation.exported >= 0) {
    // Other processes keep what they have mapped; here it becomes ordinary.
    mmap(allocation.begin, sharedBytes(allocation.bytes),
         PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    close(allocation.exported);
  }
  if (check::checking()) {
    check::released(allocation.begin, allocation.bytes);
    quarantine(allocation);
    return;
  }
  giveBackBytes(allocation);
}

/// What is freed is not used again for some time, so that whoever still uses it
/// is found.
void Memory::quarantine(const Allocation &allocation) {
  // Programs are checked on machines with gigabytes of memory; most errors of
  // this kind use what has just been freed.
  constexpr size_t MostBytes = size_t(256) << 20;
  freed.push_back(allocation);
  freedBytes += allocation.bytes;
  while (freedBytes > MostBytes && freed.size() > 1) {
    giveBackBytes(freed.front());
    freedBytes -= freed.front().bytes;
    freed.pop_front();
  }
}

void Memory::giveBackBytes(const Allocation &allocation) {
  if (isGuarded(allocation.kind))
    guard::release(allocation.begin, withGap(allocation.bytes));
  else if (allocation.bytes >= BigBytes)
    keep(allocation.begin, withGap(allocation.bytes));
  else if (const size_t alignment = alignmentOf(
               allocation.bytes, allocation.kind, allocation.pool.get());
           allocation.exported < 0)
    releaseBlock(allocation.begin,
                 wholeBytes(withGap(allocation.bytes), alignment), alignment);
  else
    std::free(allocation.begin);
}

Error Memory::release(void *memory, MemoryKind kind) {
  if (!memory)
    return cudaSuccess;
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto found = t.allocations.find(static_cast<char *>(memory));
  if (found == t.allocations.end() || found->second.registered ||
      found->second.isReleaseDeferred || found->second.backing ||
      (found->second.imported && !found->second.pool) ||
      (found->second.kind == MemoryKind::Pinned) !=
          (kind == MemoryKind::Pinned))
    return cudaErrorInvalidValue;
  if (Pool *pool = found->second.pool.get(); pool && pool->ofGraph) {
    pool->left = false;
    return pool->end() ? cudaSuccess : cudaErrorInvalidValue;
  }
  found->second.owner->giveBack(found->second);
  t.allocations.erase(found);
  return cudaSuccess;
}

Error Memory::deferRelease(void *memory) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto found = t.allocations.find(static_cast<char *>(memory));
  if (found == t.allocations.end() || found->second.registered ||
      found->second.isReleaseDeferred || found->second.backing ||
      (found->second.imported && !found->second.pool) ||
      found->second.kind == MemoryKind::Pinned)
    return cudaErrorInvalidValue;
  if (found->second.kind == MemoryKind::Managed)
    return cudaErrorNotSupported;
  found->second.isReleaseDeferred = true;
  return cudaSuccess;
}

void Memory::releaseDeferred(void *memory) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto found = t.allocations.find(static_cast<char *>(memory));
  // A reset may have been faster.
  if (found == t.allocations.end() || !found->second.isReleaseDeferred)
    return;
  found->second.owner->giveBack(found->second);
  t.allocations.erase(found);
}

std::shared_ptr<Pool> Memory::graphPool(void *memory) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto found = t.allocations.find(static_cast<char *>(memory));
  return found != t.allocations.end() && found->second.pool &&
                 found->second.pool->ofGraph
             ? found->second.pool
             : nullptr;
}

void Memory::releaseOfGraph(void *memory, const Pool &pool) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto found = t.allocations.find(static_cast<char *>(memory));
  if (found == t.allocations.end() || found->second.pool.get() != &pool)
    return; // The device was reset.
  found->second.owner->giveBack(found->second);
  t.allocations.erase(found);
}

void Memory::releaseAll() {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  for (auto i = t.allocations.begin(); i != t.allocations.end();)
    if (i->second.owner == this && !i->second.backing &&
        !isScopedMemory(i->first)) {
      if (!i->second.registered)
        giveBack(i->second);
      i = t.allocations.erase(i);
    } else {
      ++i;
    }
  dropKept();
}

//===----------------------------------------------------------------------===//
// The program's own memory
//===----------------------------------------------------------------------===//

Error Memory::enter(void *memory, size_t bytes, unsigned flags) {
  auto *begin = static_cast<char *>(memory);
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto after = t.allocations.upper_bound(begin);
  const Allocation *there = locate(t, begin);
  if (!there && after != t.allocations.end() && after->first < begin + bytes)
    there = &after->second;
  if (there)
    return there->registered ? cudaErrorHostMemoryAlreadyRegistered
                             : cudaErrorInvalidValue;
  t.allocations.emplace(begin,
                        Allocation{begin, bytes, MemoryKind::Pinned, flags,
                                   true, false, this, device, nullptr});
  check::allocated(begin, bytes, check::MemoryUse::Host);
  return cudaSuccess;
}

Error Memory::leave(void *memory) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto found = t.allocations.find(static_cast<char *>(memory));
  if (found == t.allocations.end() || !found->second.registered)
    return locate(t, memory) ? cudaErrorInvalidValue
                             : cudaErrorHostMemoryNotRegistered;
  check::released(memory, found->second.bytes);
  t.allocations.erase(found);
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

std::optional<Memory::Allocation> Memory::find(const void *pointer) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  const Allocation *allocation = locate(t, pointer);
  return allocation ? std::optional(*allocation) : std::nullopt;
}

std::string Memory::describe(const void *pointer) {
  // Farther away an allocation has nothing to do with the address.
  constexpr size_t Near = size_t(1) << 32;
  Table &t = table();
  std::lock_guard lock(t.mutex);
  const char *const address = static_cast<const char *>(pointer);
  const auto next = t.allocations.upper_bound(const_cast<char *>(address));
  size_t before = Near, behind = Near, bytesBefore = 0, bytesBehind = 0;
  if (next != t.allocations.end()) {
    before = size_t(next->second.begin - address);
    bytesBefore = next->second.bytes;
  }
  if (next != t.allocations.begin()) {
    const Allocation &a = std::prev(next)->second;
    bytesBehind = a.bytes;
    behind = size_t(address - a.begin) >= a.bytes
                 ? size_t(address - a.begin) - a.bytes
                 : Near; // within: a protected page of ours
  }
  if (std::min(before, behind) >= Near)
    return "";
  return behind <= before
             ? std::to_string(behind) + " bytes after the end of an " +
                   "allocation of " + std::to_string(bytesBehind) + " bytes"
             : std::to_string(before) + " bytes before an allocation of " +
                   std::to_string(bytesBefore) + " bytes";
}

size_t Memory::free() {
  std::lock_guard lock(table().mutex);
  const size_t rest = limit - used;
  const size_t available = availableBytes() + kept;
  return available > kept ? std::min(rest, available) : rest;
}

size_t Memory::usedBytes() {
  std::lock_guard lock(table().mutex);
  return used;
}

} // namespace cufort::cpu
