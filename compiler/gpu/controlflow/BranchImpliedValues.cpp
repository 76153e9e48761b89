//===- BranchImpliedValues.cpp - what a branch decides --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/controlflow/BranchImpliedValues.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// The two edges of the branch that ends \p block, and which uses are on
/// them.
struct Branch {
  BasicBlock *block, *successors[2];
  Value *condition;

  explicit Branch(BasicBlock &block) : block(&block), condition(nullptr) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() ||
        branch->getSuccessor(0) == branch->getSuccessor(1))
      return;
    condition = branch->getCondition();
    successors[0] = branch->getSuccessor(0);
    successors[1] = branch->getSuccessor(1);
  }

  bool isOnlyEdgeTo(unsigned edge) const {
    return successors[edge]->getSinglePredecessor() == block;
  }

  /// 0 where the condition holds at \p use, 1 where it does not, otherwise
  /// nothing.
  std::optional<unsigned> edgeOf(const Use &use) const {
    auto *user = cast<Instruction>(use.getUser());
    BasicBlock *place = user->getParent();
    auto *phi = dyn_cast<PHINode>(user);
    for (unsigned edge : {0, 1}) {
      BasicBlock *from = phi ? phi->getIncomingBlock(use) : nullptr;
      if (phi && from == block && place == successors[edge])
        return edge;
      if ((phi ? from : place) == successors[edge] && isOnlyEdgeTo(edge))
        return edge;
    }
    return std::nullopt;
  }
};

/// What \p instruction is on either edge, if \p condition decides it.
struct Values {
  Value *common = nullptr, *addend = nullptr; // common, common + addend
  Value *selected[2] = {};

  Values(Instruction &instruction, Value *condition) {
    Value *number;
    if (match(&instruction,
              m_Select(m_Specific(condition), m_Value(selected[0]),
                       m_Value(selected[1]))))
      return;
    selected[0] = selected[1] = nullptr;
    if (!match(&instruction,
               m_c_Add(m_Value(common),
                       m_CombineAnd(
                           m_Value(number),
                           m_OneUse(m_ZExtOrSExt(m_Specific(condition)))))))
      return;
    addend = ConstantInt::getSigned(instruction.getType(),
                                    isa<ZExtInst>(number) ? 1 : -1);
  }
};

/// \p instruction, of which \p values says what it is where the condition
/// holds.
Value *sum(Instruction &instruction, const Values &values, Branch &branch,
           bool isUsedAtEnd) {
  Instruction *before = branch.isOnlyEdgeTo(0) && !isUsedAtEnd
                            ? &*branch.successors[0]->getFirstInsertionPt()
                            : &instruction;
  IRBuilder<> builder(before);
  auto *add = cast<BinaryOperator>(
      builder.Insert(BinaryOperator::CreateAdd(values.common, values.addend)));
  add->copyIRFlags(&instruction);
  return add;
}

bool take(Instruction &instruction) {
  if (!isa<SelectInst, BinaryOperator>(instruction) || instruction.use_empty())
    return false;
  Branch branch(*instruction.getParent());
  if (!branch.condition)
    return false;
  Values values(instruction, branch.condition);
  if (!values.addend && !values.selected[0])
    return false;
  bool isUsedAtEnd = false; // of the block, by the edge itself
  for (const Use &use : instruction.uses()) {
    if (!branch.edgeOf(use))
      return false;
    auto *phi = dyn_cast<PHINode>(use.getUser());
    isUsedAtEnd |= phi && phi->getIncomingBlock(use) == branch.block;
  }
  Value *first = nullptr;
  for (Use &use : make_early_inc_range(instruction.uses())) {
    const unsigned edge = *branch.edgeOf(use);
    if (values.selected[0]) {
      use.set(values.selected[edge]);
    } else if (edge == 1) {
      use.set(values.common);
    } else {
      if (!first)
        first = sum(instruction, values, branch, isUsedAtEnd);
      use.set(first);
    }
  }
  instruction.eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses cufort::replaceImpliedValues(Function &function,
                                               FunctionAnalysisManager &) {
  return changeInstructions(function, take);
}
