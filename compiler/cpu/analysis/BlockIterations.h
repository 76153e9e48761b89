//===- BlockIterations.h - loops in step ------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_ANALYSIS_BLOCKITERATIONS_H
#define CUFORT_COMPILER_CPU_ANALYSIS_BLOCKITERATIONS_H

#include "compiler/cpu/analysis/BlockUniformity.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include <optional>

namespace cufort::cpu {

/// Says of which loops of an entry all threads of a block may make each
/// iteration before any makes the next, and of which they should.
class BlockIterations {
public:
  BlockIterations(llvm::Function &entry, llvm::DominatorTree &dominators,
                  llvm::LoopInfo &loops);

  /// Whether threads may go through the iterations of \p loop together, and
  /// read or write neighbouring elements if they do.
  bool mayBeShared(llvm::Loop &loop) {
    return couldBeShared(loop) && divergentBranches(loop).empty();
  }

  /// The same, if all threads came to \p loop.
  bool couldBeShared(llvm::Loop &loop);

  /// The blocks, none of them in \p loop, behind which some threads come to the
  /// loop and others do not.
  llvm::SmallVector<llvm::BasicBlock *> divergentBranches(llvm::Loop &loop);

  /// Whether \p loop, in which all threads make the same iterations, reads a
  /// row of elements from global memory in each iteration. A strip of the
  /// block's threads that went through the loop alone would touch one line of
  /// each row.
  bool readsRows(llvm::Loop &loop);

  /// What all threads of the block agree on.
  BlockUniformity &uniformity() { return ofBlock; }

private:
  bool bodyAllows(llvm::Loop &loop);
  bool carriesLittle(llvm::Loop &loop);
  bool isOfRow(llvm::Value *value, llvm::SmallPtrSetImpl<llvm::Value *> &seen);
  bool rowsAreApart(llvm::Loop &loop);
  bool isRow(llvm::Instruction &access);
  bool dividesIndex(llvm::Loop &loop);
  std::optional<int64_t> stepInX(llvm::Value *value, unsigned depth = 0);

  llvm::Function &entry;
  llvm::DominatorTree &dominators;
  llvm::LoopInfo &loops;
  llvm::PostDominatorTree postDominators;
  BlockUniformity ofBlock, ofRow;
};

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_ANALYSIS_BLOCKITERATIONS_H
