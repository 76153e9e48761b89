//===- ThreadLoops.h - loops over the threads of a block --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_BLOCK_THREADLOOPS_H
#define CUFORT_COMPILER_CPU_BLOCK_THREADLOOPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace cufort::cpu {

/// The shape of the running block, read in the prologue of an entry.
struct BlockShape {
  explicit BlockShape(llvm::Function &entry);

  /// i32, x, y, z; at least 1. Constants in an entry for one shape; x is that
  /// of all blocks of the row in an entry with BlockRowsAttribute.
  llvm::Value *extent[3];
  /// i64, the threads of the block rounded up to image::ArenaThreadGranule.
  llvm::Value *roundedThreads;
};

/// Of a loop over threads (its x loop): an operand !{!"cufort.threads"} of the
/// loop's llvm.loop node. llvm::getBooleanLoopAttribute finds it.
inline constexpr char ThreadLoopMark[] = "cufort.threads";
/// Whether \p latch ends the loop over x, y or z (\p dimension) of such a nest.
/// The loops carry the metadata "cufort.threads", "cufort.threads.y" and
/// "cufort.threads.z".
bool isThreadLoop(const llvm::Instruction &latch, unsigned dimension);

/// Whether \p latch ends a loop over x in which the threads of a warp must go
/// together (ThreadLoops::keepWarpsTogether).
bool isWarpLoop(const llvm::Instruction &latch);

/// Adds \p property, a name without operands, to what is said of the loop that
/// \p latch ends.
void addLoopProperty(llvm::Instruction &latch, llvm::StringRef property);
/// ... a name with a number.
void addLoopProperty(llvm::Instruction &latch, llvm::StringRef property,
                     unsigned number);

/// The counter of a loop over threads and what it is compared with at the end;
/// null if the loop has been changed.
llvm::PHINode *threadCounter(llvm::Loop &loop);
llvm::Value *threadExtent(llvm::Loop &loop);

/// Calls \p change for each loop over threads in x of \p entry that does
/// nothing but go once through a thread's iteration, which has at most \p
/// mostInstructions, and of which nothing is used behind it; not for those over
/// warps.
void forEachPlainThreadLoop(
    llvm::Function &entry, unsigned mostInstructions,
    llvm::function_ref<void(llvm::Loop &, llvm::LoopInfo &)> change);

/// The variables in memory that hold values of single threads: those that only
/// \p blocks use, of a loop over threads whose iterations have them one after
/// the other. In the order of their first uses.
llvm::SmallSetVector<llvm::AllocaInst *, 8>
privateVariables(llvm::ArrayRef<llvm::BasicBlock *> blocks);

/// Makes such a loop two: itself where \p condition, which is known in front of
/// it, holds, else a copy. Each keeps a block of its own in front of it, with
/// the name given; returns both. Each has private variables of its own.
std::pair<llvm::BasicBlock *, llvm::BasicBlock *>
copyThreadLoop(llvm::Loop &loop, llvm::Value *condition, llvm::StringRef name,
               llvm::StringRef nameOfCopy);

/// On the instruction that computes a thread's number in the block in a nest.
inline constexpr char RankMetadata[] = "cufort.rank";

/// A nest of three loops, z outermost and x innermost, that runs through the
/// threads of a block in the order of their rank. Made empty: begin ends in a
/// branch to latch.
struct ThreadLoops {
  ThreadLoops(llvm::Function &entry, const BlockShape &shape,
              const llvm::Twine &name);

  llvm::BasicBlock *before; ///< jump here to run the loops
  llvm::BasicBlock *begin;  ///< the first block of a thread's work
  llvm::BasicBlock *latch;  ///< where a thread's work ends
  llvm::BasicBlock *after;  ///< where control goes in the end; no terminator
  /// The thread's index in x, y, z (i32) and, by RankDimension, its number in
  /// the block (i64), all available in begin.
  llvm::Value *index[4];

  /// Puts the index in place of what reads it in \p blocks.
  void replaceThreadIndex(llvm::ArrayRef<llvm::BasicBlock *> blocks);

  /// Says that the threads of the innermost loop do not depend on each other
  /// within \p blocks: between barriers they may only communicate by atomics
  /// and volatile accesses, so nothing is said if there are any. Accesses to
  /// stack variables, which threads running one after the other share, stay
  /// unmarked and keep the loop sequential as long as they exist.
  void markParallel(llvm::ArrayRef<llvm::BasicBlock *> blocks);

  /// Finds whether threads of a warp work together in \p blocks: by warp
  /// operations, or by volatile accesses to shared memory, as programs do that
  /// count on a warp going in step. If so the loop is marked, and cpu-strips
  /// must make it one over warps.
  bool keepWarpsTogether(llvm::ArrayRef<llvm::BasicBlock *> blocks);

  /// Where a thread's work begins with a condition on its x index, and nothing
  /// is to be done where it does not hold (if (i <= n) ...), makes the
  /// condition the bounds of the x loop, so that vectors need no mask. To be
  /// called when the work is in place and thread indices are replaced.
  /// Guards.cpp.
  void boundByGuard();

private:
  friend class GuardedLoop;
  llvm::BasicBlock *headOfY, *nextOfY;
  llvm::Value *extentOfX;
};

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_BLOCK_THREADLOOPS_H
