//===- Function.cpp - CUDA driver API: which functions there are ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/driver/Function.h"
#include "runtime/core/process/Process.h"
#include <atomic>
#include <unordered_set>

using namespace cufort;

namespace {

struct Known {
  std::mutex mutex;
  std::unordered_set<CUfunction> functions;
  std::atomic<uint64_t> removals{0};
};

Known &known() { return processWide<Known>(ProcessObject::DriverFunctions); }

} // namespace

CUfunc_st::CUfunc_st(int device, CUmodule module, FunctionHandle handle,
                     const char *name)
    : device(device), module(module), handle(handle), name(name) {
  std::lock_guard lock(known().mutex);
  known().functions.insert(this);
}

CUfunc_st::~CUfunc_st() {
  std::lock_guard lock(known().mutex);
  known().functions.erase(this);
  known().removals.fetch_add(1, std::memory_order_release);
}

bool driver::isFunction(CUfunction function) {
  // Mostly a thread launches what it has launched before.
  thread_local struct {
    CUfunction function = nullptr;
    uint64_t removals = 0;
  } last;
  const uint64_t removals = known().removals.load(std::memory_order_acquire);
  if (function == last.function && removals == last.removals)
    return function;
  std::lock_guard lock(known().mutex);
  if (!known().functions.count(function))
    return false;
  last = {function, removals};
  return true;
}
