//===- ScopedMemory.cpp - memory that ends with a scope -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/ScopedMemory.h"
#include "runtime/core/process/Process.h"
#include <mutex>
#include <unordered_set>

namespace {
struct Table {
  std::mutex mutex;
  std::unordered_set<void *> places;
};
} // namespace

static Table &table() {
  return cufort::processWide<Table>(cufort::ProcessObject::ScopedMemory);
}

void cufort::enterScopedMemory(void *memory) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  t.places.insert(memory);
}

bool cufort::leaveScopedMemory(void *memory) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  return t.places.erase(memory) != 0;
}

bool cufort::isScopedMemory(void *memory) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  return t.places.count(memory) != 0;
}
