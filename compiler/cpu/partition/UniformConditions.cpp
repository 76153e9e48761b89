//===- UniformConditions.cpp - what a row agrees on, tested first ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   before:                         after:
//     branch: br v and u, then, join  branch: br u, test, join
//     then:   ... br join             test:   br v, then, met
//     join:   phi [branch], [then]    then:   ... br met
//                                     met:    phi [test], [then]; br join
//                                     join:   phi [branch], [met]
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/partition/UniformConditions.h"
#include "compiler/cpu/analysis/BlockUniformity.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cufort::cpu {
namespace {

/// Of the conditions of one branch.
constexpr unsigned MostConditions = 32;

/// A branch of which one edge leads straight to where the other rejoins it.
struct Choice {
  BranchInst *branch;
  BasicBlock *then, *join;
};

/// That \p value is \p expected.
struct Condition {
  Value *value;
  bool expected;
};

/// The conditions that hold together if \p value is \p expected, in the order
/// in which they are asked.
void collect(Value *value, bool expected, SmallVectorImpl<Condition> &found) {
  Value *left, *right;
  if (found.size() > MostConditions)
    return;
  if (match(value, m_Not(m_Value(left)))) {
    collect(left, !expected, found);
  } else if (expected
                 ? match(value, m_LogicalAnd(m_Value(left), m_Value(right)))
                 : match(value, m_LogicalOr(m_Value(left), m_Value(right)))) {
    collect(left, expected, found);
    collect(right, expected, found);
  } else {
    found.push_back({value, expected});
  }
}

/// All of \p conditions, as one value at \p b. Each may be poison where one
/// before it does not hold: that is why they are not asked all at once.
Value *allOf(IRBuilder<> &b, ArrayRef<Condition> conditions, bool isFrozen) {
  Value *all = nullptr;
  for (const Condition &condition : conditions) {
    Value *one = isFrozen ? b.CreateFreeze(condition.value) : condition.value;
    if (!condition.expected)
      one = b.CreateNot(one);
    if (!all)
      all = one;
    else
      all = isFrozen ? b.CreateAnd(all, one) : b.CreateLogicalAnd(all, one);
  }
  return all;
}

void separate(const Choice &choice, BlockUniformity &uniformity) {
  BranchInst *branch = choice.branch;
  BasicBlock *before = branch->getParent();
  Value *whole = branch->getCondition();
  SmallVector<Condition> conditions, agreed, own;
  collect(whole, branch->getSuccessor(0) == choice.then, conditions);
  if (conditions.size() > MostConditions)
    return;
  for (const Condition &condition : conditions)
    (uniformity.isUniform(*condition.value) ? agreed : own)
        .push_back(condition);
  if (agreed.empty() || own.empty())
    return;
  LLVMContext &context = before->getContext();
  auto *test = BasicBlock::Create(context, before->getName() + ".test",
                                  before->getParent(), choice.then);
  auto *met = BasicBlock::Create(context, choice.join->getName() + ".met",
                                 before->getParent(), choice.join);
  IRBuilder<> b(met);
  b.SetCurrentDebugLocation(branch->getDebugLoc());
  auto isEnd = [&](BasicBlock *from) { return from != before; };
  BasicBlock *end = *find_if(predecessors(choice.join), isEnd);
  for (PHINode &phi : choice.join->phis()) {
    PHINode *here = b.CreatePHI(phi.getType(), 2, phi.getName());
    here->addIncoming(phi.getIncomingValueForBlock(before), test);
    here->addIncoming(phi.getIncomingValueForBlock(end), end);
    phi.setIncomingValueForBlock(end, here);
    phi.replaceIncomingBlockWith(end, met);
  }
  b.CreateBr(choice.join);
  end->getTerminator()->replaceSuccessorWith(choice.join, met);
  b.SetInsertPoint(test);
  b.CreateCondBr(allOf(b, own, /*isFrozen=*/false), choice.then, met);
  b.SetInsertPoint(branch);
  b.CreateCondBr(allOf(b, agreed, /*isFrozen=*/true), test, choice.join);
  branch->eraseFromParent();
  for (PHINode &phi : choice.then->phis())
    phi.replaceIncomingBlockWith(before, test);
  RecursivelyDeleteTriviallyDeadInstructions(whole);
}

} // namespace

void separateUniformConditions(Function &body) {
  BlockUniformity uniformity(body, BlockUniformity::Threads::OfOneRow);
  PostDominatorTree postDominators(body);
  DominatorTree dominators(body);
  LoopInfo loops(dominators);
  SmallVector<Choice> choices;
  for (BasicBlock &block : body) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() ||
        uniformity.branchesUniformly(block))
      continue;
    Loop *loop = loops.getLoopFor(&block);
    auto *node = postDominators.getNode(&block)->getIDom();
    BasicBlock *join = node ? node->getBlock() : nullptr;
    BasicBlock *first = branch->getSuccessor(0),
               *second = branch->getSuccessor(1);
    if (!join || (loop && loop->isLoopExiting(&block)) ||
        (first == join) == (second == join) || pred_size(join) != 2 ||
        dominators.getNode(join)->getIDom()->getBlock() != &block)
      continue;
    BasicBlock *then = first == join ? second : first;
    if (then->getSinglePredecessor() == &block)
      choices.push_back({branch, then, join});
  }
  for (const Choice &choice : choices)
    separate(choice, uniformity);
}

} // namespace cufort::cpu
