//===- Participant.cpp - a thread that runs blocks ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/launches/Participant.h"
#include "runtime/core/process/FaultInjection.h"
#include "runtime/core/process/Stop.h"
#include "runtime/core/process/ThreadObject.h"
#include "runtime/cpu/launches/Fibers.h"
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace cufort::cpu {

using image::WorkspaceMargin;

static void release(char *memory) {
  if (memory)
    std::free(memory - WorkspaceMargin);
}

/// Memory that does not cross a multiple of 4 GB: inline PTX has the lower half
/// of an address in shared memory (compiler/cpu/PtxOperands).
static char *allocateWithin4GB(size_t bytes) {
  const auto crosses = [&](const char *begin) {
    const auto address = reinterpret_cast<uintptr_t>(begin);
    return address >> 32 != (address + bytes - 1) >> 32;
  };
  auto *begin = static_cast<char *>(allocateBytes(WorkspaceMargin, bytes));
  if (!begin || !crosses(begin))
    return begin;
  auto *other = static_cast<char *>(allocateBytes(WorkspaceMargin, bytes));
  std::free(begin);
  return other;
}

static void grow(char *&memory, size_t &capacity, size_t bytes) {
  if (bytes <= capacity && memory)
    return;
  release(std::exchange(memory, nullptr));
  capacity = 0;
  const size_t wanted = (bytes + 4095) / 4096 * 4096 + 4096;
  char *begin = allocateWithin4GB(wanted + 2 * WorkspaceMargin);
  if (!begin)
    throw std::bad_alloc();
  memory = begin + WorkspaceMargin;
  capacity = wanted;
}

Workspace::Workspace(Workspace &&other) noexcept
    : memory(std::exchange(other.memory, {nullptr, nullptr})),
      sharedCapacity(std::exchange(other.sharedCapacity, 0)),
      arenaCapacity(std::exchange(other.arenaCapacity, 0)) {}

Workspace::~Workspace() {
  release(memory.shared);
  release(memory.arena);
}

const image::CpuWorkspace &Workspace::prepare(size_t sharedBytes,
                                              size_t arenaBytes) {
  grow(memory.shared, sharedCapacity, sharedBytes);
  grow(memory.arena, arenaCapacity, arenaBytes);
  return memory;
}

Participant::Participant() = default;

Participant::~Participant() {
  // A kernel may end the program from one of these fibers' stacks.
  if (programStops())
    for (std::unique_ptr<SuspendableBlock> &block : blocks)
      (void)block.release();
}

Participant &Participant::current() { return ThreadObject<Participant>::get(); }

Participant &Participant::adopt(std::unique_ptr<Participant> participant) {
  return ThreadObject<Participant>::adopt(std::move(participant));
}

} // namespace cufort::cpu
