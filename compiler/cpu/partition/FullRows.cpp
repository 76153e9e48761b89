//===- FullRows.cpp - rows in which every thread takes the same edge ------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   before:  if (the conditions hold between the bounds of the thread index)
//              the loop with the conditions taken to hold
//            else
//              a copy of the loop as it was
//
// What the bounds are computed from does not wrap around in the first loop, and
// there it says so.
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/partition/FullRows.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/analysis/ThreadRange.h"
#include "compiler/cpu/block/ThreadLoops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include <memory>

using namespace llvm;

namespace cufort::cpu {
namespace {

/// Of a loop that is copied.
constexpr unsigned MostInstructions = 120;

class FullRow {
public:
  FullRow(Loop &loop, IRBuilder<> &b) : loop(loop), b(b) {}
  /// Makes the two loops if that is possible and worth it.
  void run();

private:
  struct Condition {
    BranchInst *branch;
    bool holds; ///< which edge the threads of a full row take
    ICmpInst *compare;
    std::unique_ptr<ThreadRange> range;
  };

  void findConditions();
  Value *test(Condition &condition);
  void takeForGranted(Condition &condition);
  std::optional<ThreadRange::Bounds> known(Value *value);

  Loop &loop;
  IRBuilder<> &b;
  BasicBlock *before = nullptr;
  PHINode *x = nullptr;
  Value *first = nullptr, *last = nullptr;
  SmallVector<Condition> conditions;
};

/// What guards a load or store: the block has no other entrance, and what is
/// behind it is reached by the other edge as well.
void FullRow::findConditions() {
  for (BasicBlock *block : loop.blocks()) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional() || block == loop.getLoopLatch())
      continue;
    auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
    if (!compare || !compare->isRelational() ||
        !compare->getOperand(0)->getType()->isIntegerTy())
      continue;
    for (unsigned edge = 0; edge < 2; ++edge) {
      BasicBlock *guarded = branch->getSuccessor(edge),
                 *join = branch->getSuccessor(1 - edge);
      if (guarded->getSinglePredecessor() && !join->getSinglePredecessor() &&
          any_of(*guarded, [](const Instruction &instruction) {
            return isa<LoadInst, StoreInst>(instruction);
          })) {
        conditions.push_back({branch, edge == 0, compare, nullptr});
        break;
      }
    }
  }
}

std::optional<ThreadRange::Bounds> FullRow::known(Value *value) {
  if (value == x)
    return ThreadRange::Bounds{first, last};
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !loop.contains(instruction))
    return ThreadRange::Bounds{value, value};
  return std::nullopt;
}

/// i1, before the loop: whether \p condition holds for all threads of the row;
/// null if that cannot be told.
Value *FullRow::test(Condition &condition) {
  condition.range = std::make_unique<ThreadRange>(
      b, [this](Value *value) { return known(value); });
  ThreadRange &range = *condition.range;
  auto left = range.of(condition.compare->getOperand(0)),
       right = range.of(condition.compare->getOperand(1));
  if (!left || !right || (left->isOne() && right->isOne()))
    return nullptr;
  CmpInst::Predicate predicate = condition.holds
                                     ? condition.compare->getPredicate()
                                     : condition.compare->getInversePredicate();
  Value *holds = range.compareAll(predicate, condition.compare->getOperand(0),
                                  condition.compare->getOperand(1));
  return b.CreateAnd(range.exact(), holds);
}

void FullRow::takeForGranted(Condition &condition) {
  condition.branch->setCondition(
      ConstantInt::getBool(condition.branch->getContext(), condition.holds));
  for (Value *operand : condition.compare->operands()) {
    auto *index = dyn_cast<Instruction>(operand);
    if (!index || !loop.contains(index) || isa<PHINode>(index))
      continue;
    IRBuilder<> behind(index->getNextNode());
    Value *exact = condition.range->copyExact(index, behind);
    if (exact != index)
      index->replaceUsesWithIf(
          exact, [&](Use &use) { return use.getUser() != exact; });
  }
}

void FullRow::run() {
  before = loop.getLoopPredecessor();
  x = threadCounter(loop);
  findConditions();
  if (conditions.empty())
    return;
  b.SetInsertPoint(before->getTerminator());
  first = x->getIncomingValueForBlock(before);
  last = b.CreateSub(threadExtent(loop), ConstantInt::get(x->getType(), 1));
  Value *isFull = b.getTrue();
  erase_if(conditions, [&](Condition &condition) {
    Value *holds = test(condition);
    if (holds)
      isFull = b.CreateAnd(isFull, holds);
    return !holds;
  });
  if (conditions.empty())
    return;
  copyThreadLoop(loop, isFull, "row.full", "row.partly");
  for (Condition &condition : conditions)
    takeForGranted(condition);
}

} // namespace

Error separateFullRows(Module &module, const CpuOptions &options) {
  auto separate = [&](Loop &loop, LoopInfo &) {
    IRBuilder<> b(module.getContext());
    if (loop.isInnermost())
      FullRow(loop, b).run();
  };
  if (options.optLevel >= 2)
    for (Function *entry : entries(module, "block"))
      forEachPlainThreadLoop(*entry, MostInstructions, separate);
  return Error::success();
}

} // namespace cufort::cpu
