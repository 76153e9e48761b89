//===- EqualitySums.cpp - sums that a condition makes equal ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/controlflow/EqualitySums.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace cufort;

namespace {

/// The distance in `base + distance`, where \p value is that.
std::optional<APInt> distanceFrom(Value *value, Value *&base) {
  const APInt *distance;
  if (match(value, m_Add(m_Value(base), m_APInt(distance))))
    return *distance;
  if (match(value, m_Sub(m_Value(base), m_APInt(distance))))
    return -*distance;
  return std::nullopt;
}

bool isTwice(Value *value, Value *one) {
  return match(value, m_Shl(m_Specific(one), m_One())) ||
         match(value, m_c_Mul(m_Specific(one), m_SpecificInt(2)));
}

/// `a + b` that is known when \p user runs.
Instruction *knownSum(Value *a, Value *b, const Instruction &user,
                      const DominatorTree &dominators) {
  for (User *each : a->users())
    if (auto *sum = dyn_cast<Instruction>(each);
        sum && match(sum, m_c_Add(m_Specific(a), m_Specific(b))) &&
        dominators.dominates(sum, &user))
      return sum;
  return nullptr;
}

/// Replaces `2 * one + distance` behind \p edge, where it is `one + other`.
bool replaceSums(Value *one, Value *other, const APInt &distance,
                 const BasicBlockEdge &edge, const DominatorTree &dominators) {
  SmallVector<Instruction *> found;
  for (User *each : one->users())
    if (isTwice(each, one))
      for (User *user : each->users()) {
        Value *twice;
        std::optional<APInt> its = distanceFrom(user, twice);
        if (its && twice == each && *its == distance)
          found.push_back(cast<Instruction>(user));
      }
  bool changed = false;
  for (Instruction *sum : found) {
    if (!dominators.dominates(edge, sum->getParent()))
      continue;
    Instruction *known = knownSum(one, other, *sum, dominators);
    if (!known)
      continue;
    // What overflows there need not have done so here.
    auto *twice = cast<Instruction>(sum->getOperand(0));
    known->setHasNoUnsignedWrap(false);
    known->setHasNoSignedWrap(known->hasNoSignedWrap() &&
                              sum->hasNoSignedWrap() &&
                              twice->hasNoSignedWrap());
    sum->replaceAllUsesWith(known);
    changed = true;
  }
  return changed;
}

} // namespace

PreservedAnalyses cufort::reuseEqualSums(Function &function,
                                         FunctionAnalysisManager &manager) {
  auto &dominators = manager.getResult<DominatorTreeAnalysis>(function);
  bool changed = false;
  for (BasicBlock &block : function) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional())
      continue;
    auto *equality = dyn_cast<ICmpInst>(branch->getCondition());
    if (!equality || !equality->isEquality() ||
        !equality->getOperand(0)->getType()->isIntegerTy())
      continue;
    bool isEqual = equality->getPredicate() == CmpInst::ICMP_EQ;
    BasicBlockEdge edge(&block, branch->getSuccessor(isEqual ? 0 : 1));
    for (unsigned n : {0, 1}) {
      // `a == b + distance`: both `2 * b + distance` and `2 * a - distance`
      // are `a + b`.
      Value *a = equality->getOperand(n), *b;
      std::optional<APInt> distance =
          distanceFrom(equality->getOperand(1 - n), b);
      if (!distance || isa<Constant>(a) || isa<Constant>(b) || a == b)
        continue;
      changed |= replaceSums(b, a, *distance, edge, dominators);
      changed |= replaceSums(a, b, -*distance, edge, dominators);
    }
  }
  return afterInstructions(changed);
}
