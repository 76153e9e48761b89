//===- BorderThreads.cpp - threads with more to do than others ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   branch:  ... what all threads do; if (condition) more
//   more:    ...
//   join:    nothing but further such branches, then the barrier
//
// The path from branch to the barrier has no other entrance or exit, so all who
// come to one come to the other. What is computed in front of the branch and
// used behind it must not need a place in memory.
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/partition/BorderThreads.h"
#include "compiler/cpu/analysis/BlockUniformity.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/fission/Barriers.h"
#include "compiler/cpu/fission/Recompute.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cufort::cpu {
namespace {

class Border {
public:
  explicit Border(Function &entry) : uniformity(entry) {}
  /// The branches before \p barrier in front of which one more is to stand.
  SmallVector<BranchInst *> before(CallInst &barrier);

private:
  BranchInst *branchAround(BasicBlock &join);
  bool boundsX(Value *condition);
  bool isIndependent(BasicBlock &more);

  BlockUniformity uniformity;
};

bool isPlainAccess(const Instruction &instruction) {
  const auto *load = dyn_cast<LoadInst>(&instruction);
  const auto *store = dyn_cast<StoreInst>(&instruction);
  return (load && load->isSimple()) || (store && store->isSimple());
}

/// Whether \p condition compares the index in x with what all threads share, or
/// a part of it does that must hold.
bool Border::boundsX(Value *condition) {
  Value *left, *right;
  if (match(condition, m_Not(m_Value(left))))
    return boundsX(left);
  if (match(condition, m_LogicalAnd(m_Value(left), m_Value(right))))
    return boundsX(left) || boundsX(right);
  if (!match(condition, m_ICmp(m_Value(left), m_Value(right))))
    return false;
  return threadIndexDimension(left) == 0 && uniformity.isUniform(*right);
}

/// Whether \p more accesses memory in a plain way, and what it uses is the same
/// for all threads or follows from their indices.
bool Border::isIndependent(BasicBlock &more) {
  auto available = [&](Value *value) {
    return threadIndexDimension(value) >= 0 || uniformity.isUniform(*value);
  };
  bool accesses = false;
  for (Instruction &instruction : more) {
    if (instruction.mayHaveSideEffects() ||
        instruction.mayReadOrWriteMemory()) {
      if (!isPlainAccess(instruction))
        return false;
      accesses = true;
    }
    for (Value *operand : instruction.operands()) {
      auto *outside = dyn_cast<Instruction>(operand);
      if (outside && outside->getParent() != &more &&
          !isRecomputable(outside, available))
        return false;
    }
  }
  return accesses;
}

/// The branch that leads to \p join at once or through one block.
BranchInst *Border::branchAround(BasicBlock &join) {
  if (!join.hasNPredecessors(2) || !join.phis().empty())
    return nullptr;
  for (BasicBlock *more : predecessors(&join)) {
    BasicBlock *from = more->getSinglePredecessor();
    auto *branch = from ? dyn_cast<BranchInst>(from->getTerminator()) : nullptr;
    if (branch && branch->isConditional() &&
        is_contained(successors(from), &join) &&
        more->getSingleSuccessor() == &join)
      return boundsX(branch->getCondition()) && isIndependent(*more) ? branch
                                                                     : nullptr;
  }
  return nullptr;
}

SmallVector<BranchInst *> Border::before(CallInst &barrier) {
  SmallVector<BranchInst *> branches;
  SmallPtrSet<BasicBlock *, 8> passed;
  Instruction *at = barrier.getPrevNode();
  for (BasicBlock *block = barrier.getParent(); passed.insert(block).second;) {
    for (; at; at = at->getPrevNode())
      if (isPlainAccess(*at))
        return branches;
      else if (at->mayHaveSideEffects() || at->mayReadOrWriteMemory())
        return {};
    if (BranchInst *branch = branchAround(*block)) {
      branches.push_back(branch);
      block = branch->getParent();
    } else {
      block = block->getSinglePredecessor();
      // In the prologue there is what all share alone.
      if (!block || !block->getSingleSuccessor() || block->isEntryBlock())
        return {};
    }
    at = block->getTerminator()->getPrevNode();
  }
  return {};
}

} // namespace

Error separateBorderThreads(Module &module, const CpuOptions &options) {
  if (options.optLevel < 2)
    return Error::success();
  for (Function *entry : entries(module, "block")) {
    SmallVector<CallInst *> barriers = barriersOf(*entry);
    if (barriers.empty())
      continue;
    Border border(*entry);
    SmallVector<std::pair<BranchInst *, CallInst *>> found;
    for (CallInst *barrier : barriers)
      if (kindOfBarrier(*barrier) == BarrierKind::Plain)
        for (BranchInst *branch : border.before(*barrier))
          found.push_back({branch, barrier});
    for (auto [branch, barrier] : found)
      barrier->clone()->insertBefore(branch->getIterator());
  }
  return Error::success();
}

} // namespace cufort::cpu
