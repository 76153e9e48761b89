//===- Memory.h - device memory on the CPU ----------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_MEMORY_H
#define CUFORT_RUNTIME_CPU_MEMORY_H

#include "runtime/core/Engine.h"
#include <map>
#include <mutex>
#include <optional>

namespace cufort::cpu {

/// Allocations of one device. Device memory is host memory whose allocations
/// are counted against a limit and known by address, so that an exhausted
/// device, a second free and a foreign pointer are found as on a GPU. Nothing
/// is touched here: pages are placed by the thread that first uses them.
class Memory {
public:
  /// \p limit in bytes; 0: what the machine (or the control group) has.
  explicit Memory(size_t limit);

  Error allocate(void **memory, size_t bytes, MemoryKind kind);
  /// \p kind Device frees managed memory as well.
  Error release(void *memory, MemoryKind kind);
  void releaseAll();

  struct Allocation {
    char *begin;
    size_t bytes;
    MemoryKind kind;
  };
  /// The allocation that \p pointer points into.
  std::optional<Allocation> find(const void *pointer);

  size_t total() const { return limit; }
  size_t free();

private:
  static void giveBack(const Allocation &allocation);

  const size_t limit;
  std::mutex mutex;
  std::map<char *, Allocation> allocations;
  size_t used = 0;
};

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_MEMORY_H
