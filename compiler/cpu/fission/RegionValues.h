//===- RegionValues.h - values that pass from region to region --*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_FISSION_REGIONVALUES_H
#define CUFORT_COMPILER_CPU_FISSION_REGIONVALUES_H

#include "compiler/cpu/analysis/BlockUniformity.h"
#include "compiler/cpu/block/Arena.h"
#include "compiler/cpu/block/ThreadLoops.h"
#include "compiler/cpu/fission/Regions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace cufort::cpu {

/// Takes care that values come from the regions that compute them to those and
/// to the nodes that use them, before there are loops over threads.
class RegionValues {
public:
  RegionValues(llvm::Function &entry, Regions &regions)
      : entry(entry), regions(regions), uniformity(entry), dominators(entry),
        loops(dominators), shape(entry), arena(entry, shape, /*onStack=*/true) {
  }

  /// Leaves no region that uses what another one's loops compute but by memory.
  void pass();

  Region *regionOf(const llvm::BasicBlock *block);

private:
  // Where things are.
  Region *bodyOf(const llvm::Instruction &instruction);
  Region *regionOfUse(llvm::Use &use);
  bool isOutsideLoops(llvm::Value *value);
  bool isShared(llvm::Instruction &value);
  llvm::IRBuilder<> behind(llvm::Instruction &value);

  // The steps.
  void hoistSharedValues();
  void keepJoinValues(llvm::PHINode &phi);
  llvm::Instruction *findSharer(llvm::PHINode &phi);
  llvm::Instruction *indexOf(llvm::Instruction &value,
                             llvm::function_ref<bool(llvm::Value *)> available);
  const Arena::Slot &slotOf(llvm::Instruction &value);
  void keep(llvm::Instruction &value);

  // Values on their way.
  llvm::AllocaInst *scalarOf(llvm::Instruction &value);
  llvm::Value *sharedIn(llvm::Instruction &value, Region &region);
  llvm::Value *recomputeIn(llvm::Value *value, Region &region,
                           llvm::DenseMap<llvm::Value *, llvm::Value *> &made);
  llvm::Value *rankIn(Region &region);
  llvm::Value *readIn(Region &region, const Arena::Slot &slot,
                      const llvm::Twine &name);
  llvm::IRBuilder<> at(llvm::BasicBlock *block) {
    return llvm::IRBuilder<>(block->getTerminator());
  }

  llvm::Function &entry;
  Regions &regions;
  BlockUniformity uniformity;
  llvm::DominatorTree dominators; ///< as it was, without the loops over threads
  llvm::LoopInfo loops;
  /// Values in bodies that the analysis has not seen: each thread has its own.
  /// (They may lie where an instruction lay that it has seen.)
  llvm::DenseSet<llvm::Value *> fresh;

  /// The block variables of values that a body computes and all threads share,
  /// and where they have been read.
  llvm::DenseMap<llvm::Instruction *, llvm::AllocaInst *> scalars;
  llvm::DenseMap<std::pair<llvm::Instruction *, Region *>, llvm::Value *>
      scalarReads;
  llvm::DenseMap<Region *, llvm::Value *> ranks;
  llvm::DenseMap<llvm::Instruction *, Arena::Slot> slots; ///< of kept values

public:
  BlockShape shape;
  Arena arena;
  /// Operands of uniform joins that are known only after a region's loops.
  llvm::DenseMap<Region *, llvm::SmallVector<
                               std::pair<llvm::PHINode *, llvm::AllocaInst *>>>
      settled;
};

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_FISSION_REGIONVALUES_H
