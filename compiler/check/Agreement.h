//===- Agreement.h - what all threads come to -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CHECK_AGREEMENT_H
#define CUFORT_COMPILER_CHECK_AGREEMENT_H

#include "compiler/check/Instrument.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"

namespace cufort::check {

/// Whether all threads of a block come to each place of \p kernel that waits
/// for others, together: no branch that they may take differently decides about
/// it. Warps, too, and whatever they are asked for, wait in step only so.
/// \p divergent gets branches that threads may take differently and behind
/// which warps wait: the answer holds if each warp takes one edge of them.
bool threadsAgree(llvm::Function &kernel, const llvm::DominatorTree &tree,
                  const llvm::PostDominatorTree &postTree,
                  const llvm::LoopInfo &loops,
                  llvm::function_ref<Wait(llvm::Instruction &)> waits,
                  llvm::SmallVectorImpl<llvm::BranchInst *> &divergent);

} // namespace cufort::check

#endif // CUFORT_COMPILER_CHECK_AGREEMENT_H
