//===- PagedMemory.cpp - in place of page-locked memory -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/fortran/PagedMemory.h"
#include "runtime/core/process/FaultInjection.h"
#include "runtime/core/process/Process.h"
#include <cstdlib>
#include <mutex>
#include <unordered_set>

namespace cufort::fortran {
namespace {

struct Paged {
  std::mutex mutex;
  std::unordered_set<void *> memory;
};

Paged &paged() { return processWide<Paged>(ProcessObject::PagedMemory); }

} // namespace

void *allocatePaged(size_t bytes) {
  void *memory = allocateBytes(bytes);
  if (memory) {
    std::lock_guard lock(paged().mutex);
    paged().memory.insert(memory);
  }
  return memory;
}

bool releasePaged(void *memory) {
  {
    std::lock_guard lock(paged().mutex);
    if (!paged().memory.erase(memory))
      return false;
  }
  std::free(memory);
  return true;
}

} // namespace cufort::fortran
