//===- ExitMerging.cpp - threads without work leave at one branch ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/controlflow/ExitMerging.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace cufort;

namespace {

/// What all threads may compute for a condition that some of them would not
/// have come to, in LLVM's costs.
constexpr unsigned MostComputed = 16;

bool isEnd(const BasicBlock *block) { return isa<ReturnInst>(block->front()); }

/// The branch at the end of \p block, if one of its ways is the function's end
/// and the other is not.
BranchInst *exitOf(BasicBlock &block) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  return branch && branch->isConditional() &&
                 isEnd(branch->getSuccessor(0)) !=
                     isEnd(branch->getSuccessor(1))
             ? branch
             : nullptr;
}

bool isCheap(const BasicBlock &block, const TargetTransformInfo &target) {
  InstructionCost cost = 0;
  for (const Instruction &instruction : block) {
    if (instruction.isTerminator())
      continue;
    if (isa<PHINode>(instruction) || instruction.mayReadFromMemory() ||
        !isSafeToSpeculativelyExecute(&instruction))
      return false;
    cost += target.getInstructionCost(&instruction,
                                      TargetTransformInfo::TCK_SizeAndLatency);
  }
  return cost.isValid() && cost <= MostComputed;
}

/// \p condition, or its opposite, before \p place.
Value *asSaid(Value *condition, bool opposite, Instruction *place) {
  if (!opposite)
    return condition;
  if (auto *comparison = dyn_cast<CmpInst>(condition);
      comparison && comparison->hasOneUse()) {
    comparison->setPredicate(comparison->getInversePredicate());
    return comparison;
  }
  return IRBuilder<>(place).CreateNot(condition);
}

/// Makes one branch of the one at the end of \p block and that at the end of
/// the block which it leads to, where that is computed for nothing else.
bool merge(BasicBlock &block, const TargetTransformInfo &target) {
  BranchInst *first = exitOf(block);
  if (!first)
    return false;
  const bool ifFirst = isEnd(first->getSuccessor(1));
  BasicBlock *next = first->getSuccessor(!ifFirst);
  BranchInst *second = exitOf(*next);
  if (!second || next->getSinglePredecessor() != &block ||
      !isCheap(*next, target))
    return false;
  const bool ifSecond = isEnd(second->getSuccessor(1));
  BasicBlock *end = second->getSuccessor(ifSecond);
  if (end != first->getSuccessor(ifFirst))
    return false;
  BasicBlock *inside = second->getSuccessor(!ifSecond);

  for (Instruction &each : make_early_inc_range(*next)) {
    if (each.isTerminator())
      break;
    each.dropUBImplyingAttrsAndMetadata();
    each.moveBefore(first->getIterator());
  }
  // Both say who stays, or both who leaves.
  Value *left = first->getCondition();
  Value *right = asSaid(second->getCondition(), ifFirst != ifSecond, first);
  IRBuilder<> b(first);
  first->setCondition(ifFirst ? b.CreateLogicalAnd(left, right)
                              : b.CreateLogicalOr(left, right));
  first->setMetadata(LLVMContext::MD_prof, nullptr);
  first->setSuccessor(!ifFirst, inside);
  inside->replacePhiUsesWith(next, &block);
  end->removePredecessor(next);
  next->eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses cufort::mergeEarlyExits(Function &function,
                                          FunctionAnalysisManager &manager) {
  auto &target = manager.getResult<TargetIRAnalysis>(function);
  // In a loop the branch may be the one by which ptxas counts the iterations.
  auto &loops = manager.getResult<LoopAnalysis>(function);
  SmallVector<WeakVH> blocks;
  for (BasicBlock &block : function)
    if (!loops.getLoopFor(&block))
      blocks.emplace_back(&block);
  bool changed = false;
  for (WeakVH &each : blocks)
    while (each && merge(*cast<BasicBlock>(each), target))
      changed = true;
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
