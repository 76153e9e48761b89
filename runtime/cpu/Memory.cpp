//===- Memory.cpp - device memory on the CPU ------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/Memory.h"
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

/// What the machine can still give without swapping.
size_t availableBytes() {
  return readNumber("/proc/meminfo", "MemAvailable: %zu kB") << 10;
}

size_t mappedBytes(size_t bytes) {
  return (bytes + HugePage - 1) / HugePage * HugePage;
}

/// \p bytes at a huge page's boundary; null if there is no room.
char *mapBig(size_t bytes) {
  const size_t wanted = mappedBytes(bytes);
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

Memory::Memory(size_t limit) : limit(limit ? limit : physicalBytes()) {}

Error Memory::allocate(void **memory, size_t bytes, MemoryKind kind) {
  *memory = nullptr;
  if (!bytes)
    return cudaSuccess;
  std::lock_guard lock(mutex);
  if (bytes > limit || used + bytes > limit)
    return cudaErrorMemoryAllocation;
  char *begin;
  if (bytes >= BigBytes) {
    const size_t available = availableBytes();
    if (available && bytes > available)
      return cudaErrorMemoryAllocation;
    begin = mapBig(bytes);
  } else {
    begin = static_cast<char *>(std::aligned_alloc(
        Alignment, (bytes + Alignment - 1) / Alignment * Alignment));
  }
  if (!begin)
    return cudaErrorMemoryAllocation;
  used += bytes;
  allocations.emplace(begin, Allocation{begin, bytes, kind});
  *memory = begin;
  return cudaSuccess;
}

void Memory::giveBack(const Allocation &allocation) {
  if (allocation.bytes >= BigBytes)
    munmap(allocation.begin, mappedBytes(allocation.bytes));
  else
    std::free(allocation.begin);
}

Error Memory::release(void *memory, MemoryKind kind) {
  if (!memory)
    return cudaSuccess;
  Allocation allocation;
  {
    std::lock_guard lock(mutex);
    auto found = allocations.find(static_cast<char *>(memory));
    if (found == allocations.end() ||
        (found->second.kind == MemoryKind::Pinned) !=
            (kind == MemoryKind::Pinned))
      return cudaErrorInvalidValue;
    allocation = found->second;
    used -= allocation.bytes;
    allocations.erase(found);
  }
  giveBack(allocation);
  return cudaSuccess;
}

void Memory::releaseAll() {
  std::lock_guard lock(mutex);
  for (const auto &entry : allocations)
    giveBack(entry.second);
  allocations.clear();
  used = 0;
}

std::optional<Memory::Allocation> Memory::find(const void *pointer) {
  auto *address = const_cast<char *>(static_cast<const char *>(pointer));
  std::lock_guard lock(mutex);
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin())
    return std::nullopt;
  const Allocation &allocation = std::prev(after)->second;
  if (address >= allocation.begin + allocation.bytes)
    return std::nullopt;
  return allocation;
}

size_t Memory::free() {
  std::lock_guard lock(mutex);
  const size_t rest = limit - used;
  const size_t available = availableBytes();
  return available ? std::min(rest, available) : rest;
}

} // namespace cufort::cpu
