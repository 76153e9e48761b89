//===- VirtualMemory.cpp - addresses and memory of the CPU ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/memory/VirtualMemory.h"
#include "runtime/core/process/FaultInjection.h"
#include "runtime/cpu/CpuEngine.h"
#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cufort::cpu {
namespace {

/// A huge page, as on GPUs.
constexpr size_t Granularity = size_t(2) << 20;

/// The only kind of handle that other processes can get: a file.
constexpr int FileHandle = 1;

bool isWhole(size_t bytes) { return bytes && bytes % Granularity == 0; }

bool isWhole(const void *address) {
  return reinterpret_cast<uintptr_t>(address) % Granularity == 0;
}

/// The device that \p properties name, or what is wrong with them.
Error deviceOf(const MemoryProperties &properties, CpuEngine **device) {
  const Location &place = properties.location;
  if (properties.allocationType != 1)
    return cudaErrorInvalidValue;
  if (place.type != Location::Device)
    return place.type > Location::Device ? cudaErrorNotSupported
                                         : cudaErrorInvalidValue;
  if (place.number < 0 ||
      static_cast<size_t>(place.number) >= cpuEngines().size())
    return cudaErrorInvalidDevice;
  if (properties.handleTypes & ~FileHandle)
    return cudaErrorNotSupported;
  *device = cpuEngines()[static_cast<size_t>(place.number)];
  return cudaSuccess;
}

int protectionOf(int flags) {
  return flags == AccessDescription::ReadWrite ? PROT_READ | PROT_WRITE
         : flags == AccessDescription::Read    ? PROT_READ
                                               : PROT_NONE;
}

/// Nothing is at \p bytes addresses from \p address on, and nobody gets them.
Error clear(void *address, size_t bytes) {
  void *map =
      faultDue("map")
          ? MAP_FAILED
          : mmap(address, bytes, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
                 0);
  return map == MAP_FAILED ? cudaErrorOperatingSystem : cudaSuccess;
}

} // namespace

PhysicalMemory::~PhysicalMemory() {
  if (file >= 0)
    close(file);
  owner.uncount(counted);
}

VirtualMemory &cpuVirtualMemory() {
  static auto *instance = new CpuVirtualMemory;
  return *instance;
}

//===----------------------------------------------------------------------===//
// Memory without an address
//===----------------------------------------------------------------------===//

Error CpuVirtualMemory::granularity(size_t *bytes,
                                    const MemoryProperties &properties,
                                    int option) {
  CpuEngine *device;
  if (Error error = deviceOf(properties, &device); error != cudaSuccess)
    return error;
  if (option != 0 && option != 1)
    return cudaErrorInvalidValue;
  *bytes = Granularity;
  return cudaSuccess;
}

std::shared_ptr<PhysicalMemory> CpuVirtualMemory::find(MemoryHandle handle) {
  auto found = handles.find(handle);
  return found == handles.end() ? nullptr : found->second.memory;
}

Error CpuVirtualMemory::enter(MemoryHandle *handle,
                              std::shared_ptr<PhysicalMemory> memory) {
  const auto name = reinterpret_cast<MemoryHandle>(memory.get());
  std::lock_guard lock(mutex);
  handles.emplace(name, Handle{std::move(memory), 1});
  *handle = name;
  return cudaSuccess;
}

Error CpuVirtualMemory::create(MemoryHandle *handle, size_t bytes,
                               const MemoryProperties &properties) {
  CpuEngine *device;
  if (Error error = deviceOf(properties, &device); error != cudaSuccess)
    return error;
  if (!isWhole(bytes))
    return cudaErrorInvalidValue;
  MemoryProperties given = properties;
  given.compression = 0; // A wish, which devices need not fulfil.
  auto memory =
      std::make_shared<PhysicalMemory>(device->memoryOfDevice(), given);
  if (!memory->owner.count(bytes))
    return cudaErrorMemoryAllocation;
  memory->bytes = memory->counted = bytes;
  memory->file =
      faultDue("map") ? -1 : memfd_create("cufort-device-memory", MFD_CLOEXEC);
  if (memory->file < 0 ||
      ftruncate(memory->file, static_cast<off_t>(bytes)) != 0)
    return cudaErrorOperatingSystem;
  return enter(handle, std::move(memory));
}

Error CpuVirtualMemory::release(MemoryHandle handle) {
  std::lock_guard lock(mutex);
  auto found = handles.find(handle);
  if (found == handles.end())
    return cudaErrorInvalidValue;
  if (!--found->second.count)
    handles.erase(found);
  return cudaSuccess;
}

Error CpuVirtualMemory::retain(MemoryHandle *handle, const void *address) {
  std::lock_guard lock(mutex);
  const std::optional<Memory::Allocation> found = Memory::find(address);
  if (!found || !found->backing)
    return cudaErrorInvalidValue;
  const auto name = reinterpret_cast<MemoryHandle>(found->backing.get());
  // Its last handle may have been released.
  ++handles.try_emplace(name, Handle{found->backing, 0}).first->second.count;
  *handle = name;
  return cudaSuccess;
}

Error CpuVirtualMemory::propertiesOf(MemoryHandle handle,
                                     MemoryProperties *properties) {
  std::lock_guard lock(mutex);
  const std::shared_ptr<PhysicalMemory> memory = find(handle);
  if (!memory)
    return cudaErrorInvalidValue;
  *properties = memory->properties;
  return cudaSuccess;
}

Error CpuVirtualMemory::exportMemory(void *shared, MemoryHandle handle,
                                     int type) {
  std::lock_guard lock(mutex);
  const std::shared_ptr<PhysicalMemory> memory = find(handle);
  if (!memory || type != FileHandle ||
      !(memory->properties.handleTypes & FileHandle))
    return cudaErrorInvalidValue;
  const int file = fcntl(memory->file, F_DUPFD_CLOEXEC, 0);
  if (file < 0)
    return cudaErrorOperatingSystem;
  std::memcpy(shared, &file, sizeof(file));
  return cudaSuccess;
}

Error CpuVirtualMemory::importMemory(MemoryHandle *handle, void *shared,
                                     int type) {
  const int file = static_cast<int>(reinterpret_cast<intptr_t>(shared));
  struct stat status;
  if (type != FileHandle)
    return type > FileHandle ? cudaErrorNotSupported : cudaErrorInvalidValue;
  if (fstat(file, &status) != 0 ||
      !isWhole(static_cast<size_t>(status.st_size)))
    return cudaErrorInvalidValue;
  const MemoryProperties given{
      1, FileHandle, {Location::Device, 0}, nullptr, 0, 0, 0, {}};
  auto memory = std::make_shared<PhysicalMemory>(
      cpuEngines().front()->memoryOfDevice(), given);
  memory->file = fcntl(file, F_DUPFD_CLOEXEC, 0);
  if (memory->file < 0)
    return cudaErrorOperatingSystem;
  memory->bytes = static_cast<size_t>(status.st_size);
  return enter(handle, std::move(memory));
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

Error CpuVirtualMemory::reserve(void **address, size_t bytes, size_t alignment,
                                void *wanted) {
  if (!isWhole(bytes) || !isWhole(wanted) || (alignment & (alignment - 1)) ||
      bytes > PTRDIFF_MAX / 2 || alignment > PTRDIFF_MAX / 4)
    return cudaErrorInvalidValue;
  alignment = std::max(alignment, Granularity);
  const size_t whole = bytes + alignment;
  void *map = faultDue("map")
                  ? MAP_FAILED
                  : mmap(wanted, whole, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED)
    return cudaErrorMemoryAllocation;
  char *const first = static_cast<char *>(map);
  const size_t misfit = reinterpret_cast<uintptr_t>(first) % alignment;
  const size_t before = misfit ? alignment - misfit : 0;
  if (before)
    munmap(first, before);
  munmap(first + before + bytes, alignment - before);
  const auto undo = [&] { munmap(first + before, bytes); };
  std::lock_guard lock(mutex);
  try {
    reserved.emplace(first + before, bytes);
  } catch (const std::bad_alloc &) {
    undo();
    throw;
  }
  *address = first + before;
  return cudaSuccess;
}

Error CpuVirtualMemory::giveUp(void *address, size_t bytes) {
  std::lock_guard lock(mutex);
  auto found = reserved.find(static_cast<char *>(address));
  if (found == reserved.end() || found->second != bytes ||
      Memory::anyMapped(address, bytes))
    return cudaErrorInvalidValue;
  munmap(address, bytes);
  reserved.erase(found);
  return cudaSuccess;
}

Error CpuVirtualMemory::map(void *address, size_t bytes, size_t offset,
                            MemoryHandle handle) {
  if (!isWhole(address) || !isWhole(bytes) || offset % Granularity)
    return cudaErrorInvalidValue;
  std::lock_guard lock(mutex);
  const std::shared_ptr<PhysicalMemory> memory = find(handle);
  auto *const begin = static_cast<char *>(address);
  auto after = reserved.upper_bound(begin);
  if (!memory || offset > memory->bytes || bytes > memory->bytes - offset ||
      after == reserved.begin())
    return cudaErrorInvalidValue;
  const auto &[start, length] = *std::prev(after);
  const auto before = static_cast<size_t>(begin - start);
  if (before >= length || bytes > length - before ||
      Memory::anyMapped(address, bytes))
    return cudaErrorInvalidValue;
  if (Error error = Memory::enterMapped(
          begin, bytes, memory->properties.location.number, memory);
      error != cudaSuccess)
    return error;
  if (faultDue("map") ||
      mmap(address, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, memory->file,
           static_cast<off_t>(offset)) == MAP_FAILED) {
    Memory::leaveMapped(address, bytes);
    return cudaErrorOperatingSystem;
  }
  madvise(address, bytes, MADV_HUGEPAGE);
  return cudaSuccess;
}

Error CpuVirtualMemory::unmap(void *address, size_t bytes) {
  std::lock_guard lock(mutex);
  if (!isWhole(bytes) || !Memory::wholeMapped(address, bytes))
    return cudaErrorInvalidValue;
  if (Error error = clear(address, bytes); error != cudaSuccess)
    return error;
  Memory::leaveMapped(address, bytes);
  return cudaSuccess;
}

Error CpuVirtualMemory::setAccess(void *address, size_t bytes,
                                  const AccessDescription *access,
                                  size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const AccessDescription &each = access[i];
    const bool ofDevice = each.location.type == Location::Device;
    if ((!ofDevice && each.location.type != Location::Host) ||
        (ofDevice &&
         (each.location.number < 0 ||
          static_cast<size_t>(each.location.number) >= cpuEngines().size())) ||
        (each.flags != AccessDescription::None &&
         each.flags != AccessDescription::Read &&
         each.flags != AccessDescription::ReadWrite))
      return cudaErrorInvalidValue;
  }
  std::lock_guard lock(mutex);
  if (!count || !isWhole(bytes) || !Memory::wholeMapped(address, bytes))
    return cudaErrorInvalidValue;
  // What somebody may do all can do here: the most of it.
  return Memory::setAccess(
      address, bytes, access, count, [](char *begin, size_t length, int flags) {
        return !faultDue("map") &&
               !mprotect(begin, length, protectionOf(flags));
      });
}

Error CpuVirtualMemory::access(unsigned long long *flags,
                               const Location &location, void *address) {
  std::lock_guard lock(mutex);
  const std::optional<Memory::Allocation> found = Memory::find(address);
  if (!found || !found->backing)
    return cudaErrorInvalidValue;
  *flags = AccessDescription::None;
  for (const AccessDescription &each : found->access)
    if (each.location.type == location.type &&
        (location.type != Location::Device ||
         each.location.number == location.number))
      *flags = static_cast<unsigned long long>(each.flags);
  return cudaSuccess;
}

} // namespace cufort::cpu
