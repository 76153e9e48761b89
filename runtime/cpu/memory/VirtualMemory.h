//===- VirtualMemory.h - addresses and memory of the CPU --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory without an address is a file without a name, of which one of the
// devices counts the bytes; reserved addresses are a mapping that nobody may
// touch. What is mapped stands in the table of allocations (Memory.h), one
// entry for each call of map.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_MEMORY_VIRTUALMEMORY_H
#define CUFORT_RUNTIME_CPU_MEMORY_VIRTUALMEMORY_H

#include "runtime/core/engine/VirtualMemory.h"
#include "runtime/cpu/memory/Memory.h"
#include <map>
#include <memory>
#include <mutex>

namespace cufort::cpu {

/// Memory without an address.
struct PhysicalMemory {
  PhysicalMemory(Memory &owner, const MemoryProperties &properties)
      : owner(owner), properties(properties) {}
  PhysicalMemory(const PhysicalMemory &) = delete;
  PhysicalMemory &operator=(const PhysicalMemory &) = delete;
  ~PhysicalMemory();

  Memory &owner; ///< counts the bytes, but of another process's memory
  const MemoryProperties properties;
  int file = -1;
  size_t bytes = 0, counted = 0;
};

/// The virtual memory of all CPU devices.
class CpuVirtualMemory final : public VirtualMemory {
public:
#define CUFORT_VIRTUAL_MEMORY(result, name, parameters)                        \
  result name parameters override;
#include "runtime/core/engine/VirtualMemory.def"

private:
  struct Handle {
    std::shared_ptr<PhysicalMemory> memory;
    unsigned count;
  };
  std::shared_ptr<PhysicalMemory> find(MemoryHandle handle);
  Error enter(MemoryHandle *handle, std::shared_ptr<PhysicalMemory> memory);

  std::mutex mutex; ///< taken before the lock of the allocations
  std::map<MemoryHandle, Handle> handles;
  std::map<char *, size_t> reserved;
};

VirtualMemory &cpuVirtualMemory();

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_MEMORY_VIRTUALMEMORY_H
