//===- Dispatch.h - fission for any placement of barriers -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_FISSION_DISPATCH_H
#define CUFORT_COMPILER_CPU_FISSION_DISPATCH_H

#include "llvm/IR/Function.h"

namespace cufort::cpu {

/// The general path of cpu-fission, correct wherever barriers stand. Needs
/// cpu-barriers and cpu-private. Leaves an entry that runs in phases: in each,
/// a loop over the threads continues every living thread from the barrier at
/// which it stopped to the next one, or to its end, as a number kept per thread
/// says; the phases end when no thread reaches a barrier. This is what the
/// hardware does, also with barriers under divergent conditions. Values that
/// live across a barrier are kept in the arena. When a phase ends with threads
/// at a barrier of the grid or cluster the entry waits there for the other
/// blocks before the next phase, and with threads at one of several barriers
/// the runtime may look whether all are at the same. Where threads work
/// together as warps the loop is marked for cpu-warps.
void dispatchAtBarriers(llvm::Function &entry);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_FISSION_DISPATCH_H
