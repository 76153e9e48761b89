//===- DivisionSinking.cpp - divisions where they are needed --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/controlflow/DivisionSinking.h"
#include "compiler/gpu/GpuPass.h"
#include "compiler/gpu/analysis/ExactDivision.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace cufort;

namespace {

/// In the order in which they stand.
using Computation = SmallVector<Instruction *>;

/// As many as ptxas executes under a predicate, without a branch.
constexpr size_t FewDoubles = 2;

/// Whether \p computation is a double or two for \p choice. To choose between
/// doubles takes two instructions, and each that is computed for it a unit of
/// which GPUs have few; under a predicate it is one.
bool isOfDoubles(const Computation &computation, const SelectInst &choice) {
  return choice.getType()->isDoubleTy() && !computation.empty() &&
         computation.size() <= FewDoubles &&
         all_of(computation, [](const Instruction *each) {
           return each->getType()->isDoubleTy() && isa<FPMathOperator>(each) &&
                  !isa<SelectInst>(each);
         });
}

/// What is computed for nothing but \p arm of \p choice in the same block, if
/// that is expensive.
Computation computationOf(const Use &arm, SelectInst &choice) {
  SmallPtrSet<const Instruction *, 8> found;
  Computation computation;
  bool expensive = false;
  BasicBlock *block = choice.getParent();
  for (Instruction &each : reverse(
           make_range(block->getFirstInsertionPt(), choice.getIterator()))) {
    bool isNeededHere = !each.use_empty() && all_of(each.uses(), [&](Use &use) {
      return &use == &arm || found.contains(cast<Instruction>(use.getUser()));
    });
    auto *call = dyn_cast<CallBase>(&each);
    if (!isNeededHere || each.mayReadOrWriteMemory() ||
        each.mayHaveSideEffects() || isa<AllocaInst>(each) ||
        (call && call->isConvergent()))
      continue;
    found.insert(&each);
    computation.insert(computation.begin(), &each);
    expensive |= isExactDivision(each);
  }
  return expensive || isOfDoubles(computation, choice) ? computation
                                                       : Computation();
}

bool divideInBranch(SelectInst &choice) {
  Value *condition = choice.getCondition();
  if (!condition->getType()->isIntegerTy(1))
    return false;
  Computation computations[] = {computationOf(choice.getOperandUse(1), choice),
                                computationOf(choice.getOperandUse(2), choice)};
  if (computations[0].empty() && computations[1].empty())
    return false;
  IRBuilder<> builder(&choice);
  if (!isGuaranteedNotToBeUndefOrPoison(condition))
    condition = builder.CreateFreeze(condition);
  BasicBlock *before = choice.getParent();
  Instruction *ends[] = {nullptr, nullptr};
  BasicBlock::iterator place = choice.getIterator();
  if (computations[1].empty())
    ends[0] = SplitBlockAndInsertIfThen(condition, place, false);
  else if (computations[0].empty())
    ends[1] = SplitBlockAndInsertIfElse(condition, place, false);
  else
    SplitBlockAndInsertIfThenElse(condition, place, &ends[0], &ends[1]);
  builder.SetInsertPoint(&choice);
  PHINode *value = builder.CreatePHI(choice.getType(), 2);
  for (unsigned operand : {0, 1}) {
    if (ends[operand])
      for (Instruction *each : computations[operand])
        each->moveBefore(ends[operand]->getIterator());
    value->addIncoming(choice.getOperand(1 + operand),
                       ends[operand] ? ends[operand]->getParent() : before);
  }
  value->takeName(&choice);
  choice.replaceAllUsesWith(value);
  choice.eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses cufort::sinkDivisions(Function &function,
                                        FunctionAnalysisManager &) {
  SmallVector<SelectInst *> choices;
  for (Instruction &instruction : instructions(function))
    if (auto *choice = dyn_cast<SelectInst>(&instruction))
      choices.push_back(choice);
  bool changed = false;
  // A division for another is still in the other's block then.
  for (SelectInst *choice : reverse(choices))
    changed |= divideInBranch(*choice);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
