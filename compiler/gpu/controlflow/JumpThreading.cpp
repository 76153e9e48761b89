//===- JumpThreading.cpp - branches that are decided before ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/controlflow/JumpThreading.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace {

/// Where a block goes that holds nothing but choices between its predecessors'
/// values, at most one comparison of such a value, and a branch by it.
class Decision {
public:
  explicit Decision(BasicBlock &block) : block(block) {
    Instruction *end = block.getTerminator();
    if (auto *branch = dyn_cast<BranchInst>(end);
        branch && branch->isConditional())
      condition = branch->getCondition();
    else if (auto *choice = dyn_cast<SwitchInst>(end))
      condition = choice->getCondition();
    if (!condition)
      return;
    phi = dyn_cast<PHINode>(condition);
    if (auto *compare = dyn_cast<ICmpInst>(condition);
        compare && compare->getParent() == &block && compare->hasOneUse()) {
      comparison = compare;
      phi = dyn_cast<PHINode>(compare->getOperand(0));
      if (!isa<ConstantInt>(compare->getOperand(1)))
        phi = nullptr;
    }
    if (phi && phi->getParent() != &block)
      phi = nullptr;
    for (Instruction &each : block)
      if (!isa<PHINode>(each) && &each != comparison && &each != end)
        phi = nullptr;
  }

  bool isOne() const { return phi; }

  /// Where the way from the predecessor with \p index goes on, if it is known.
  BasicBlock *next(unsigned index) const {
    auto *number = dyn_cast<ConstantInt>(phi->getIncomingValue(index));
    if (!number)
      return nullptr;
    if (auto *choice = dyn_cast<SwitchInst>(block.getTerminator()))
      return choice->findCaseValue(number)->getCaseSuccessor();
    bool holds = number->isOne();
    if (comparison)
      holds = ICmpInst::compare(
          number->getValue(),
          cast<ConstantInt>(comparison->getOperand(1))->getValue(),
          comparison->getPredicate());
    return block.getTerminator()->getSuccessor(holds ? 0 : 1);
  }

  PHINode *phi = nullptr;

private:
  BasicBlock &block;
  Value *condition = nullptr;
  ICmpInst *comparison = nullptr;
};

/// Whether what \p block chooses is needed behind it by its successors' own
/// choices only, for ways that pass it.
bool isNeededAtEndsOnly(BasicBlock &block) {
  for (PHINode &phi : block.phis())
    for (Use &use : phi.uses()) {
      auto *user = cast<Instruction>(use.getUser());
      if (user->getParent() == &block && !isa<PHINode>(user))
        continue; // the comparison or the branch
      auto *choice = dyn_cast<PHINode>(user);
      if (!choice || choice->getParent() == &block ||
          choice->getIncomingBlock(use) != &block)
        return false;
    }
  return true;
}

struct DecidedBranches {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> edges;
    FindFunctionBackedges(function, edges);
    SmallPtrSet<const BasicBlock *, 8> headers;
    for (const auto &edge : edges)
      headers.insert(edge.second);
    bool changed = false;
    for (BasicBlock &block : make_early_inc_range(function))
      if (!headers.contains(&block))
        changed |= take(block, headers);
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }

private:
  static bool take(BasicBlock &block,
                   const SmallPtrSetImpl<const BasicBlock *> &headers) {
    Decision decision(block);
    if (!decision.isOne() || !isNeededAtEndsOnly(block))
      return false;
    bool changed = false;
    for (unsigned n = decision.phi->getNumIncomingValues(); n-- > 0;) {
      BasicBlock *from = decision.phi->getIncomingBlock(n);
      BasicBlock *to = decision.next(n);
      // Another way back would make two loops of one.
      if (!to || to == &block || headers.contains(to) ||
          !isa<BranchInst>(from->getTerminator()) ||
          is_contained(successors(from), to) ||
          count(successors(from), &block) != 1 ||
          decision.phi->getNumIncomingValues() == 1)
        continue;
      for (PHINode &choice : to->phis()) {
        Value *value = choice.getIncomingValueForBlock(&block);
        if (auto *own = dyn_cast<PHINode>(value);
            own && own->getParent() == &block)
          value = own->getIncomingValueForBlock(from);
        choice.addIncoming(value, from);
      }
      from->getTerminator()->replaceSuccessorWith(&block, to);
      block.removePredecessor(from, /*KeepOneInputPHIs=*/true);
      changed = true;
    }
    if (changed) {
      // What is left may be one way only.
      BasicBlock *only = nullptr;
      for (unsigned n = 0; n != decision.phi->getNumIncomingValues(); ++n) {
        BasicBlock *to = decision.next(n);
        if (!to || (only && only != to))
          return true;
        only = to;
      }
      for (BasicBlock *each : SmallVector<BasicBlock *>(successors(&block)))
        if (each != only)
          each->removePredecessor(&block, /*KeepOneInputPHIs=*/true);
      Instruction *end = block.getTerminator();
      BranchInst::Create(only, end->getIterator());
      end->eraseFromParent();
    }
    return changed;
  }
};

} // namespace

PreservedAnalyses cufort::threadJumps(Function &function,
                                      FunctionAnalysisManager &unused1) {
  return DecidedBranches().run(function, unused1);
}
