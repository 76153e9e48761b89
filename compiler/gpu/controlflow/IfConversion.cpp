//===- IfConversion.cpp - what follows one condition or another -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/controlflow/IfConversion.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

/// As many as ptxas takes for predicates, address arithmetic and all.
constexpr unsigned MostInstructions = 16;
/// Of those that are computed without need, and of values selected.
constexpr unsigned MostComputed = 2;

/// Whether \p block is as cheap as a branch around it.
bool isCheap(const BasicBlock &block) {
  unsigned count = 0;
  for (const Instruction &instruction : block) {
    if (instruction.isTerminator() || instruction.isDebugOrPseudoInst() ||
        isa<PHINode>(instruction))
      continue;
    bool isSimple = isa<BinaryOperator>(instruction) ||
                    isa<CastInst>(instruction) || isa<CmpInst>(instruction) ||
                    isa<GetElementPtrInst>(instruction) ||
                    isa<SelectInst>(instruction);
    if (!isSimple || instruction.isIntDivRem() ||
        instruction.getOpcode() == Instruction::FDiv ||
        instruction.getOpcode() == Instruction::FRem ||
        !isSafeToSpeculativelyExecute(&instruction) || ++count > MostComputed)
      return false;
  }
  return true;
}

/// Whether ptxas would execute \p block under a predicate.
bool canBePredicated(const BasicBlock &block) {
  return block.sizeWithoutDebug() <= MostInstructions &&
         none_of(block, [](const Instruction &instruction) {
           auto *call = dyn_cast<CallBase>(&instruction);
           return call ? !isa<IntrinsicInst>(call) || call->isConvergent()
                       : instruction.isAtomic();
         });
}

/// Makes what \p block computes a selection if several conditions, each tested
/// where the one before it does not hold, lead there, and the last one either
/// there or on to where the block goes.
bool select(BasicBlock &block) {
  BasicBlock *next = block.getSingleSuccessor();
  if (!next || next == &block || block.hasAddressTaken() || !isCheap(block))
    return false;
  SmallPtrSet<BasicBlock *, 4> tests;
  BasicBlock *last = nullptr;
  for (BasicBlock *test : predecessors(&block)) {
    auto *branch = dyn_cast<BranchInst>(test->getTerminator());
    if (!branch || !branch->isConditional() || test == &block ||
        !tests.insert(test).second)
      return false;
    if (is_contained(successors(test), next)) {
      if (last)
        return false;
      last = test;
    }
  }
  if (tests.size() < 2 || !last)
    return false;
  // All but the first of the tests, which need not be executed.
  SmallPtrSet<BasicBlock *, 4> conditional;
  for (BasicBlock *test = last; conditional.size() + 1 != tests.size();
       test = test->getSinglePredecessor())
    if (!tests.contains(test->getSinglePredecessor()) ||
        !canBePredicated(*test) || !conditional.insert(test).second)
      return false;
  if (std::distance(next->phis().begin(), next->phis().end()) >
      ptrdiff_t(MostComputed))
    return false;

  auto *branch = cast<BranchInst>(last->getTerminator());
  bool whereTrue = branch->getSuccessor(0) == &block;
  IRBuilder<> builder(&block, block.begin());
  // A value that is `others` on the way from all tests but the last.
  auto merge = [&](Value *others, Value *ofLast) {
    PHINode *merged = builder.CreatePHI(ofLast->getType(), tests.size());
    for (BasicBlock *test : predecessors(&block))
      merged->addIncoming(test == last ? ofLast : others, test);
    return merged;
  };
  Value *condition = merge(builder.getInt1(whereTrue), branch->getCondition());
  SmallVector<std::pair<PHINode *, Value *>, MostComputed> values;
  for (PHINode &phi : next->phis()) {
    Value *value = phi.getIncomingValueForBlock(last);
    auto *instruction = dyn_cast<Instruction>(value);
    if (instruction && conditional.contains(instruction->getParent()))
      value = merge(PoisonValue::get(value->getType()), value);
    values.push_back({&phi, value});
  }
  builder.SetInsertPoint(block.getTerminator());
  for (auto &[phi, without] : values) {
    Value *with = phi->getIncomingValueForBlock(&block);
    if (with != without)
      phi->setIncomingValueForBlock(
          &block, builder.CreateSelect(condition, whereTrue ? with : without,
                                       whereTrue ? without : with));
    phi->removeIncomingValue(last, /*DeletePHIIfEmpty=*/false);
  }
  builder.SetInsertPoint(branch);
  builder.CreateBr(&block);
  branch->eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses cufort::convertIfs(Function &function,
                                     FunctionAnalysisManager &) {
  bool changed = false;
  for (BasicBlock &block : function)
    changed |= select(block);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
