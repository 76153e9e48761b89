//===- InterprocessMemory.cpp - memory of several processes ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/process/FaultInjection.h"
#include "runtime/cpu/memory/HostGuard.h"
#include "runtime/cpu/memory/Memory.h"
#include <sys/mman.h>
#include <unistd.h>

namespace cufort::cpu {

Error Memory::share(void *memory, int *file, size_t *bytes) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto found = t.allocations.find(static_cast<char *>(memory));
  if (found == t.allocations.end() || found->second.registered ||
      found->second.isReleaseDeferred || found->second.imported ||
      found->second.backing || found->second.kind != MemoryKind::Device)
    return cudaErrorInvalidValue;
  Allocation &allocation = found->second;
  if (allocation.bytes < Page &&
      !(allocation.pool && allocation.pool->file >= 0))
    return cudaErrorNotSupported; // It shares its page with others.
  *bytes = sharedBytes(allocation.bytes);
  *file = allocation.exported;
  if (*file >= 0)
    return cudaSuccess;
  const int fresh =
      faultDue("map") ? -1 : memfd_create("cufort-device-memory", MFD_CLOEXEC);
  if (fresh < 0 || ftruncate(fresh, static_cast<off_t>(*bytes))) {
    if (fresh >= 0)
      close(fresh);
    return cudaErrorOperatingSystem;
  }
  const guard::DeviceAccess access;
  for (size_t done = 0; done < allocation.bytes;) {
    const ssize_t written =
        pwrite(fresh, allocation.begin + done, allocation.bytes - done,
               static_cast<off_t>(done));
    if (written <= 0) {
      close(fresh);
      return cudaErrorOperatingSystem;
    }
    done += static_cast<size_t>(written);
  }
  if (mmap(allocation.begin, *bytes, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_FIXED, fresh, 0) == MAP_FAILED) {
    close(fresh);
    return cudaErrorOperatingSystem;
  }
  *file = allocation.exported = fresh;
  return cudaSuccess;
}

Error Memory::import(int file, size_t bytes, void **memory,
                     const std::shared_ptr<Pool> &pool) {
  void *map = faultDue("map") ? MAP_FAILED
                              : mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                     MAP_SHARED, file, 0);
  if (map == MAP_FAILED)
    return cudaErrorOperatingSystem;
  auto *begin = static_cast<char *>(map);
  Table &t = table();
  std::lock_guard lock(t.mutex);
  Allocation allocation{
      begin, bytes, MemoryKind::Device, 0, false, false, this, device, pool};
  allocation.imported = true;
  try {
    t.allocations.emplace(begin, std::move(allocation));
  } catch (const std::bad_alloc &) {
    munmap(map, bytes);
    throw;
  }
  *memory = begin;
  return cudaSuccess;
}

Error Memory::closeImported(void *memory) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto found = t.allocations.find(static_cast<char *>(memory));
  if (found == t.allocations.end() || !found->second.imported)
    return cudaErrorInvalidValue;
  munmap(memory, found->second.bytes);
  t.allocations.erase(found);
  return cudaSuccess;
}

} // namespace cufort::cpu
