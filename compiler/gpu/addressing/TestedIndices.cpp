//===- TestedIndices.cpp - an address is computed before a test -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/addressing/TestedIndices.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Pass.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// In a function. They take two registers each from the test to the end of what
/// is behind it.
constexpr unsigned MostAddresses = 8;

/// What \p element takes as its one index, if that is the extension of a
/// value, or null.
CastInst *indexOf(const GetElementPtrInst &element) {
  if (element.getNumIndices() != 1)
    return nullptr;
  auto *index = dyn_cast<CastInst>(element.getOperand(1));
  return index && isa<ZExtInst, SExtInst>(index) ? index : nullptr;
}

/// What \p index extends. LLVM may have cut off another extension of it.
const Value *extendedBy(const CastInst &index) {
  const Value *value = index.getOperand(0);
  const Value *whole;
  return match(value, m_Trunc(m_ZExtOrSExt(m_Value(whole)))) &&
                 whole->getType() == value->getType()
             ? whole
             : value;
}

/// Whether \p first is \p second where that is known, of the same value: the
/// extension with a sign is the one without of what has none.
bool isSameIndex(const CastInst &first, const CastInst &second) {
  return first.getOpcode() == second.getOpcode() ||
         (isa<ZExtInst>(second) && second.hasNonNeg());
}

/// The branch at the end of the block that loads the index of \p first and
/// tests it, if it leads to \p first or past it, and \p second is behind
/// both.
BranchInst *testBefore(const GetElementPtrInst &first,
                       const GetElementPtrInst &second,
                       const DominatorTree &dominators, const LoopInfo &loops) {
  auto *loaded = dyn_cast<LoadInst>(indexOf(first)->getOperand(0));
  const BasicBlock *use = first.getParent();
  if (!loaded || loaded->getParent() != use->getSinglePredecessor())
    return nullptr;
  auto *branch = dyn_cast<BranchInst>(loaded->getParent()->getTerminator());
  if (!branch || !branch->isConditional())
    return nullptr;
  auto *test = dyn_cast<CmpInst>(branch->getCondition());
  const Loop *loop = loops.getLoopFor(loaded->getParent());
  const BasicBlock *behind =
      branch->getSuccessor(branch->getSuccessor(0) == use);
  return test && is_contained(test->operands(), loaded) &&
                 loops.getLoopFor(use) == loop &&
                 loops.getLoopFor(second.getParent()) == loop &&
                 is_contained(successors(use), behind) &&
                 dominators.dominates(behind, second.getParent()) &&
                 dominators.dominates(first.getPointerOperand(), branch)
             ? branch
             : nullptr;
}

void moveBefore(Instruction &instruction, Instruction *place) {
  instruction.moveBefore(place->getIterator());
  instruction.updateLocationAfterHoist();
}

class TestedIndices : public FunctionPass {
public:
  static char id;
  TestedIndices() : FunctionPass(id) {}

  bool runOnFunction(Function &function) override {
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    SmallPtrSet<const GetElementPtrInst *, MostAddresses> early;
    /// What \p second is as well and is now computed before the test, of all
    /// addresses by the same index before it, or null.
    auto find = [&](ArrayRef<GetElementPtrInst *> others,
                    GetElementPtrInst &second) -> GetElementPtrInst * {
      for (GetElementPtrInst *first : others) {
        if (first->getPointerOperand() != second.getPointerOperand() ||
            first->getSourceElementType() != second.getSourceElementType() ||
            !isSameIndex(*indexOf(*first), *indexOf(second)))
          continue;
        if (early.contains(first) && dominators.dominates(first, &second))
          return first;
        BranchInst *test = testBefore(*first, second, dominators, loops);
        if (!test || early.size() == MostAddresses)
          continue;
        if (CastInst *index = indexOf(*first);
            index->getParent() == first->getParent())
          moveBefore(*index, test);
        moveBefore(*first, test);
        early.insert(first);
        return first;
      }
      return nullptr;
    };

    DenseMap<const Value *, SmallVector<GetElementPtrInst *, 1>> elements;
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
      for (Instruction &instruction : make_early_inc_range(*block)) {
        auto *second = dyn_cast<GetElementPtrInst>(&instruction);
        CastInst *index = second ? indexOf(*second) : nullptr;
        if (!index)
          continue;
        auto &others = elements[extendedBy(*index)];
        GetElementPtrInst *first = find(others, *second);
        if (!first) {
          others.push_back(second);
          continue;
        }
        first->andIRFlags(second);
        indexOf(*first)->andIRFlags(index);
        second->replaceAllUsesWith(first);
        second->eraseFromParent();
        if (index->use_empty() && index->getParent() == block)
          index->eraseFromParent();
      }
    return !early.empty();
  }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
  }
};

char TestedIndices::id;

} // namespace

FunctionPass *cufort::createTestedIndicesPass() { return new TestedIndices; }
