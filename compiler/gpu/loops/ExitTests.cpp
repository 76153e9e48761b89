//===- ExitTests.cpp - how loops count their iterations -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/loops/ExitTests.h"
#include "compiler/gpu/GpuPass.h"
#include "compiler/gpu/analysis/LoopDependences.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace cufort;

namespace {

/// A counter, what it is next, and the difference.
struct Counter {
  PHINode *now;
  BinaryOperator *next;
  const APInt *step;
};

struct Counters {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    auto &loops = manager.getResult<LoopAnalysis>(function);
    if (loops.empty())
      return PreservedAnalyses::all();
    auto &evolution = manager.getResult<ScalarEvolutionAnalysis>(function);
    auto &dominators = manager.getResult<DominatorTreeAnalysis>(function);
    auto &aliases = manager.getResult<AAManager>(function);
    bool changed = false;
    for (Loop *loop : loops.getLoopsInPreorder()) {
      BasicBlock *last = loop->getLoopLatch();
      auto *branch =
          last ? dyn_cast<BranchInst>(last->getTerminator()) : nullptr;
      if (!branch || !branch->isConditional() || !loop->getLoopPredecessor() ||
          branch->getSuccessor(0) != loop->getHeader() ||
          loop->contains(branch->getSuccessor(1)))
        continue;
      changed |= joinCounters(*loop, evolution);
      // ptxas repeats loops of one block; of one whose iterations have to wait
      // for each other it makes a longer one.
      if (loop->getNumBlocks() == 1 && storesWhatItLoads(*loop, aliases))
        continue;
      // Of all these conditions that hold, each has to.
      SmallVector<Value *> conditions = {branch->getCondition()};
      while (!conditions.empty()) {
        Value *condition = conditions.pop_back_val(), *one, *other;
        if (!condition->hasOneUse())
          continue;
        if (match(condition, m_LogicalAnd(m_Value(one), m_Value(other))))
          conditions.append({one, other});
        else if (auto *end = dyn_cast<ICmpInst>(condition))
          changed |= testNext(*end, *loop, evolution, dominators);
      }
    }
    return afterInstructions(changed);
  }

private:
  /// A value that is what a counter was in the iteration before is the counter
  /// less its step, if that is so in the first iteration as well.
  static bool joinCounters(Loop &loop, ScalarEvolution &evolution) {
    bool changed = false;
    BasicBlock *header = loop.getHeader();
    for (PHINode &before : make_early_inc_range(header->phis())) {
      auto *counter = dyn_cast<PHINode>(
          before.getIncomingValueForBlock(loop.getLoopLatch()));
      if (!counter || counter == &before || counter->getParent() != header ||
          !before.getType()->isIntegerTy())
        continue;
      auto *steps = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(counter));
      if (!steps || steps->getLoop() != &loop)
        continue;
      auto *distance = dyn_cast<SCEVConstant>(
          evolution.getMinusSCEV(evolution.getSCEV(&before), steps));
      if (!distance)
        continue;
      IRBuilder<> b(header, header->getFirstInsertionPt());
      Value *sum = b.CreateAdd(counter, distance->getValue());
      evolution.forgetValue(&before);
      before.replaceAllUsesWith(sum);
      before.eraseFromParent();
      changed = true;
    }
    return changed;
  }

  /// Makes \p end, with which \p loop goes on, a comparison of what its counter
  /// is next.
  static bool testNext(ICmpInst &end, Loop &loop, ScalarEvolution &evolution,
                       const DominatorTree &dominators) {
    auto *now = dyn_cast<PHINode>(end.getOperand(0));
    Value *limit = end.getOperand(1);
    CmpInst::Predicate predicate = end.getPredicate();
    if (!now || now->getParent() != loop.getHeader()) {
      now = dyn_cast<PHINode>(end.getOperand(1));
      limit = end.getOperand(0);
      predicate = end.getSwappedPredicate();
    }
    if (!now || now->getParent() != loop.getHeader() ||
        !now->getType()->isIntegerTy() || !loop.isLoopInvariant(limit))
      return false;
    auto *next = dyn_cast<BinaryOperator>(
        now->getIncomingValueForBlock(loop.getLoopLatch()));
    const APInt *step;
    if (!next || !match(next, m_c_Add(m_Specific(now), m_APInt(step))))
      return false;
    if (next->getParent() != end.getParent() &&
        !dominators.dominates(next, &end))
      return false;
    Counter counter{now, next, step};
    BasicBlock *before = loop.getLoopPredecessor();
    IRBuilder<> b(before->getTerminator());
    Value *nextLimit = nullptr;
    if (CmpInst::isEquality(predicate) ||
        isExact(predicate, counter, limit, evolution)) {
      nextLimit = b.CreateAdd(limit, ConstantInt::get(limit->getType(), *step));
    } else if (Value *value =
                   lastValue(predicate, counter, limit, loop, evolution, b)) {
      nextLimit = b.CreateAdd(value, ConstantInt::get(limit->getType(), *step));
      predicate = CmpInst::ICMP_NE;
    } else {
      return false;
    }
    if (next->getParent() == end.getParent() && end.comesBefore(next))
      next->moveBefore(end.getIterator());
    // It may overflow in the last iteration, in which nothing depended on it.
    next->dropPoisonGeneratingFlags();
    end.setPredicate(predicate);
    end.setSameSign(false);
    end.setOperand(0, next);
    end.setOperand(1, nextLimit);
    evolution.forgetLoop(&loop);
    return true;
  }

  /// Whether neither side of the comparison of a counter with the number
  /// \p limit overflows when the counter's step is added to both.
  static bool isExact(CmpInst::Predicate predicate, const Counter &counter,
                      const Value *limit, ScalarEvolution &evolution) {
    auto *number = dyn_cast<ConstantInt>(limit);
    if (!number)
      return false;
    const SCEV *values = evolution.getSCEV(counter.now);
    const APInt &step = *counter.step;
    bool isOver = false, isLimitOver = false;
    if (CmpInst::isSigned(predicate)) {
      APInt farthest = step.isNegative() ? evolution.getSignedRangeMin(values)
                                         : evolution.getSignedRangeMax(values);
      (void)farthest.sadd_ov(step, isOver);
      (void)number->getValue().sadd_ov(step, isLimitOver);
    } else {
      (void)evolution.getUnsignedRangeMax(values).uadd_ov(step, isOver);
      (void)number->getValue().uadd_ov(step, isLimitOver);
    }
    return !isOver && !isLimitOver;
  }

  /// What a counter is in the last iteration of \p loop, which goes on while it
  /// is less (or greater) than \p limit; nothing if it may skip that, or
  /// nothing is gained since ptxas does not repeat the loop.
  static Value *lastValue(CmpInst::Predicate predicate, const Counter &counter,
                          Value *limit, Loop &loop, ScalarEvolution &evolution,
                          IRBuilder<> &b) {
    if (loop.getNumBlocks() != 1)
      return nullptr;
    Intrinsic::ID farther;
    switch (predicate) {
    case CmpInst::ICMP_SLT:
      farther = Intrinsic::smax;
      break;
    case CmpInst::ICMP_ULT:
      farther = Intrinsic::umax;
      break;
    case CmpInst::ICMP_SGT:
      farther = Intrinsic::smin;
      break;
    case CmpInst::ICMP_UGT:
      farther = Intrinsic::umin;
      break;
    default:
      return nullptr;
    }
    const bool isUp =
        predicate == CmpInst::ICMP_SLT || predicate == CmpInst::ICMP_ULT;
    if (isUp ? !counter.step->isOne() : !counter.step->isAllOnes())
      return nullptr;
    Value *first =
        counter.now->getIncomingValueForBlock(loop.getLoopPredecessor());
    if (evolution.isLoopEntryGuardedByCond(
            &loop, CmpInst::getNonStrictPredicate(predicate),
            evolution.getSCEV(first), evolution.getSCEV(limit)))
      return limit;
    return b.CreateBinaryIntrinsic(farther, first, limit);
  }
};

} // namespace

PreservedAnalyses cufort::testNextValue(Function &function,
                                        FunctionAnalysisManager &manager) {
  return Counters().run(function, manager);
}
