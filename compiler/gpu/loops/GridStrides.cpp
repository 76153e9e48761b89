//===- GridStrides.cpp - loops in steps of the grid go up -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/loops/GridStrides.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace cufort;

namespace {

constexpr char Mark[] = "cufort.stride";

/// Whether \p loop comes to its end by its condition, or the program is
/// undefined: nothing could be seen of one that goes on for ever.
bool hasToEnd(const Loop &loop, ScalarEvolution &evolution) {
  return loop.isInnermost() && evolution.loopHasNoAbnormalExits(&loop) &&
         evolution.loopIsFiniteByAssumption(&loop);
}

/// `next = index + step`, by which a loop counts, and the comparison with a
/// limit under which it goes on.
struct Counting {
  PHINode *index;
  BinaryOperator *next;
  Value *step, *limit;
  CmpInst::Predicate goesOn;
};

std::optional<Counting> countingOf(const Loop &loop) {
  BasicBlock *last = loop.getLoopLatch();
  if (!last || !loop.getLoopPreheader() || loop.getExitingBlock() != last)
    return std::nullopt;
  auto *branch = dyn_cast<BranchInst>(last->getTerminator());
  Counting counting;
  CmpPredicate predicate;
  if (!branch || !branch->isConditional() ||
      !match(branch->getCondition(), m_ICmp(predicate, m_BinOp(counting.next),
                                            m_Value(counting.limit))) ||
      !loop.isLoopInvariant(counting.limit))
    return std::nullopt;
  counting.goesOn = branch->getSuccessor(0) == loop.getHeader()
                        ? CmpInst::Predicate(predicate)
                        : CmpInst::getInversePredicate(predicate);
  bool isSigned = counting.goesOn == CmpInst::ICMP_SLT;
  if (!isSigned && counting.goesOn != CmpInst::ICMP_ULT)
    return std::nullopt;
  auto stepFrom = [&](unsigned operand) {
    counting.index = dyn_cast<PHINode>(counting.next->getOperand(operand));
    counting.step = counting.next->getOperand(1 - operand);
    return counting.index && counting.index->getParent() == loop.getHeader() &&
           counting.index->getIncomingValueForBlock(last) == counting.next;
  };
  if (counting.next->getOpcode() != Instruction::Add ||
      (!stepFrom(0) && !stepFrom(1)))
    return std::nullopt;
  bool wraps = isSigned ? !counting.next->hasNoSignedWrap()
                        : !counting.next->hasNoUnsignedWrap();
  if (wraps || !loop.isLoopInvariant(counting.step) ||
      isa<Constant>(counting.step))
    return std::nullopt;
  return counting;
}

} // namespace

PreservedAnalyses cufort::assumeStrides(Loop &loop, LoopAnalysisManager &,
                                        LoopStandardAnalysisResults &analyses,
                                        LPMUpdater &) {
  std::optional<Counting> counting = countingOf(loop);
  ScalarEvolution &evolution = analyses.SE;
  if (!counting || !hasToEnd(loop, evolution))
    return PreservedAnalyses::all();
  BasicBlock *before = loop.getLoopPreheader();
  Value *first = counting->index->getIncomingValueForBlock(before);
  if (!evolution.isLoopEntryGuardedByCond(&loop, counting->goesOn,
                                          evolution.getSCEV(first),
                                          evolution.getSCEV(counting->limit)))
    return PreservedAnalyses::all();
  IRBuilder<> builder(before->getTerminator());
  Value *second = builder.CreateAdd(first, counting->step);
  auto *known = cast<AssumeInst>(builder.CreateAssumption(
      builder.CreateICmp(counting->goesOn, first, second)));
  known->setMetadata(Mark, MDNode::get(known->getContext(), {}));
  analyses.AC.registerAssumption(known);
  evolution.forgetLoop(&loop);
  return getLoopPassPreservedAnalyses();
}

/// What was said has served its purpose.
PreservedAnalyses cufort::dropStrideAssumptions(Function &function,
                                                FunctionAnalysisManager &) {
  SmallVector<AssumeInst *> known;
  for (Instruction &instruction : instructions(function))
    if (auto *assumption = dyn_cast<AssumeInst>(&instruction);
        assumption && assumption->hasMetadata(Mark))
      known.push_back(assumption);
  for (AssumeInst *assumption : known) {
    Value *comparison = assumption->getArgOperand(0);
    assumption->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(comparison);
  }
  return afterInstructions(!known.empty());
}
