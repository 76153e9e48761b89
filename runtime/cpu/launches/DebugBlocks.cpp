//===- DebugBlocks.cpp - what a debugger asks of kernels ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/launches/DebugBlocks.h"
#include "runtime/cpu/launches/Fibers.h"
#include <mutex>
#include <unistd.h>

cufort_debug_block *cufort_debug_blocks = nullptr;

namespace cufort::cpu {

static std::mutex &listMutex() {
  static auto *mutex = new std::mutex;
  return *mutex;
}

void DebugBlock::enter() {
  leave();
  std::lock_guard lock(listMutex());
  previous = nullptr;
  next = cufort_debug_blocks;
  if (next)
    next->previous = this;
  cufort_debug_blocks = this;
  listed = true;
}

void DebugBlock::leave() {
  if (!listed)
    return;
  std::lock_guard lock(listMutex());
  (previous ? previous->next : cufort_debug_blocks) = next;
  if (next)
    next->previous = previous;
  listed = false;
}

int32_t systemThread() {
  static thread_local const int32_t number = gettid();
  return number;
}

/// Where debuggers find it.
void FiberPool::list() {
  // As the script has it.
  static_assert(offsetof(Fiber, stackPointer) == 0 &&
                offsetof(Fiber, stack) == 8 && offsetof(Fiber, thread) == 16 &&
                offsetof(Fiber, live) == 28 && offsetof(Fiber, at) == 32);
  if (work.entry)
    return;
  listed.kernel = work.kernel->name;
  listed.launch = work.launch;
  listed.fibers = fibers.data();
  listed.fiberBytes = sizeof(Fiber);
  listed.threads = static_cast<uint32_t>(threads);
  listed.running = 0;
  listed.block = work.block;
  listed.worker = 0;
  listed.enter();
}

} // namespace cufort::cpu
