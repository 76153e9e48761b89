//===- Participant.h - a thread that runs blocks ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_LAUNCHES_PARTICIPANT_H
#define CUFORT_RUNTIME_CPU_LAUNCHES_PARTICIPANT_H

#include "image/Image.h"
#include <cstddef>
#include <memory>
#include <vector>

namespace cufort::cpu {

struct SuspendableBlock; // Fibers.h

/// Memory for one block at a time: shared memory and the arena for values that
/// live across barriers. Grows on demand, lives on the heap.
class Workspace {
public:
  Workspace() = default;
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;
  Workspace(Workspace &&other) noexcept;
  ~Workspace();

  /// Makes room and returns the pointers; stops the program when the host's
  /// memory is exhausted.
  const image::CpuWorkspace &prepare(size_t sharedBytes, size_t arenaBytes);

private:
  image::CpuWorkspace memory{nullptr, nullptr};
  size_t sharedCapacity = 0, arenaCapacity = 0;
};

/// What a worker, or a host thread that takes part, owns.
class Participant {
public:
  Participant();
  ~Participant();

  /// The calling thread's own.
  static Participant &current();
  /// Makes \p participant that of the calling thread, which has none yet.
  static Participant &adopt(std::unique_ptr<Participant> participant);

  /// Among those of the device whose work it does.
  unsigned number = 0;
  Workspace workspace;
  /// Of an ordinary launch: those that have begun and not ended, the oldest
  /// first.
  std::vector<std::unique_ptr<SuspendableBlock>> blocks;
  /// Units that it has claimed besides those with which Operation::run was
  /// called.
  uint64_t furtherUnits = 0;
  /// For the next launch: blocks that are one fiber each, and some with a fiber
  /// for each thread.
  std::vector<std::unique_ptr<SuspendableBlock>> idleBlocks;
  std::vector<std::unique_ptr<SuspendableBlock>> idleThreads;
};

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_LAUNCHES_PARTICIPANT_H
