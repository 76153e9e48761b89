//===- WaitLoops.h - loops that wait for other threads ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_BLOCK_WAITLOOPS_H
#define CUFORT_COMPILER_CPU_BLOCK_WAITLOOPS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-wait-loops. Needs cpu-shared. Leaves a call of image::YieldFunction in
/// block entries before each place where a loop asks, iteration after
/// iteration, for what others do to one address, and leaves the loop because of
/// it: a flag, a lock, a barrier of the program's own. A block that waits so
/// for another one can then be one fiber that lets others go on. Where threads
/// may wait so for later threads of their own block, which a loop over threads
/// would never come to, the kernel gets cufort-fibers.
llvm::Error findWaitLoops(llvm::Module &module, const CpuOptions &options);

/// Whether \p instruction lets others go on.
bool isYield(const llvm::Instruction &instruction);
/// Whether \p entry does anywhere.
bool waitsInLoops(llvm::Function &entry);

/// What a loop asks, for what no other thread of its own block does, so that
/// lanes in step may wait for it.
inline constexpr char OtherBlocksMetadata[] = "cufort.other.blocks";

/// Where \p instruction looks again and again whether another thread has come
/// as far, without changing anything there; null if it is something else.
const llvm::Value *lookedAt(const llvm::Instruction &instruction);

/// Whether \p loop may be left because of what \p instruction has found.
bool decidesOnExit(llvm::Instruction &instruction, const llvm::Loop &loop);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_BLOCK_WAITLOOPS_H
