//===- WholeBlocks.cpp - blocks whose threads all have work ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/partition/WholeBlocks.h"
#include "compiler/cpu/analysis/BlockIterations.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/analysis/ThreadRange.h"
#include "compiler/cpu/block/Arena.h"
#include "compiler/cpu/block/ThreadLoops.h"
#include "compiler/cpu/fission/Barriers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cufort::cpu {
namespace {

/// Of a kernel that is copied.
constexpr unsigned MostInstructions = 600;

class WholeBlock {
public:
  explicit WholeBlock(Function &entry)
      : entry(entry), b(endOfPrologue(entry)),
        range(b, [this](Value *value) { return known(value); }) {}
  void run();

private:
  void findGuards();
  void noteGuards(Loop &loop, DominatorTree &dominators,
                  BlockIterations &iterations);
  std::optional<ThreadRange::Bounds> known(Value *value);
  Value *holdsForAll(Value *condition, bool wanted);
  bool isEarly(LoadInst &load);
  Value *early(LoadInst &load);

  Function &entry;
  IRBuilder<> b;                   ///< at the end of the prologue
  std::optional<BlockShape> shape; ///< once there is such a loop
  ThreadRange range;
  /// For each such loop the edges that lead to it.
  using Conditions = SmallMapVector<BranchInst *, bool, 4>;
  SmallVector<Conditions, 4> loops;
};

//===----------------------------------------------------------------------===//
// What is looked for
//===----------------------------------------------------------------------===//

/// Notes the conditions under which threads come to \p loop, if there are any
/// and nothing else decides about it.
void WholeBlock::noteGuards(Loop &loop, DominatorTree &dominators,
                            BlockIterations &iterations) {
  Conditions found;
  for (BasicBlock *block : iterations.divergentBranches(loop)) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch)
      return;
    std::optional<bool> taken;
    for (bool wanted : {true, false})
      if (dominators.dominates(
              BasicBlockEdge(block, branch->getSuccessor(!wanted)),
              loop.getHeader()))
        taken = wanted;
    if (!taken)
      return;
    found[branch] = *taken;
  }
  if (!found.empty())
    loops.push_back(std::move(found));
}

void WholeBlock::findGuards() {
  DominatorTree dominators(entry);
  LoopInfo information(dominators);
  if (information.empty())
    return;
  BlockIterations iterations(entry, dominators, information);
  for (Loop *loop : information.getLoopsInPreorder())
    if (iterations.couldBeShared(*loop) &&
        iterations.uniformity().branchesUniformly(*loop->getExitingBlock()) &&
        iterations.readsRows(*loop))
      noteGuards(*loop, dominators, iterations);
}

//===----------------------------------------------------------------------===//
// What is computed before
//===----------------------------------------------------------------------===//

/// Whether \p load may as well be done at the end of the prologue: all threads
/// do it before they do anything else, or what it reads never changes.
bool WholeBlock::isEarly(LoadInst &load) {
  if (!load.isSimple())
    return false;
  if (load.hasMetadata(LLVMContext::MD_invariant_load) &&
      isSafeToSpeculativelyExecute(&load))
    return true;
  BasicBlock *first = entry.getEntryBlock().getSingleSuccessor();
  if (load.getParent() != first)
    return false;
  for (Instruction &before : *first) {
    if (&before == &load)
      return true;
    if (before.mayHaveSideEffects())
      return false;
  }
  return false;
}

/// What \p load reads, for all threads; null if it depends on them.
Value *WholeBlock::early(LoadInst &load) {
  if (!isEarly(load))
    return nullptr;
  SmallVector<Instruction *> addresses;
  Value *address = load.getPointerOperand();
  while (auto *part = dyn_cast<GetElementPtrInst>(address)) {
    if (part->getParent() == &entry.getEntryBlock())
      break;
    if (!part->hasAllConstantIndices())
      return nullptr;
    addresses.push_back(part);
    address = part->getPointerOperand();
  }
  if (auto *instruction = dyn_cast<Instruction>(address);
      instruction && instruction->getParent() != &entry.getEntryBlock())
    return nullptr;
  for (Instruction *part : reverse(addresses)) {
    Instruction *copy = part->clone();
    copy->setOperand(0, address);
    address = b.Insert(copy);
  }
  auto *copy = cast<LoadInst>(load.clone());
  copy->setOperand(0, address);
  return b.Insert(copy, load.getName());
}

std::optional<ThreadRange::Bounds> WholeBlock::known(Value *value) {
  if (int dimension = threadIndexDimension(value); dimension >= 0) {
    if (dimension > 2)
      return std::nullopt;
    return ThreadRange::Bounds{
        b.getInt32(0), b.CreateSub(shape->extent[dimension], b.getInt32(1))};
  }
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || instruction->getParent() == &entry.getEntryBlock())
    return ThreadRange::Bounds{value, value};
  if (auto *load = dyn_cast<LoadInst>(instruction))
    if (Value *same = early(*load))
      return ThreadRange::Bounds{same, same};
  return std::nullopt;
}

/// i1: whether \p condition is \p wanted for all threads, if the range is
/// exact; null if that cannot be computed.
Value *WholeBlock::holdsForAll(Value *condition, bool wanted) {
  Value *left, *right;
  if (match(condition, m_Not(m_Value(left))))
    return holdsForAll(left, !wanted);
  if (match(condition, m_Freeze(m_Value(left))))
    return holdsForAll(left, wanted);
  if (wanted ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
             : match(condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
    Value *first = holdsForAll(left, wanted),
          *second = first ? holdsForAll(right, wanted) : nullptr;
    return second ? b.CreateAnd(first, second) : nullptr;
  }
  auto *compare = dyn_cast<ICmpInst>(condition);
  if (!compare || !compare->getOperand(0)->getType()->isIntegerTy())
    return nullptr;
  return range.compareAll(wanted ? compare->getPredicate()
                                 : compare->getInversePredicate(),
                          compare->getOperand(0), compare->getOperand(1));
}

void WholeBlock::run() {
  if (entry.getInstructionCount() > MostInstructions)
    return;
  findGuards();
  if (loops.empty())
    return;
  shape.emplace(entry);
  Conditions conditions;
  Value *whole = b.getTrue();
  for (Conditions &loop : loops) {
    Value *holds = b.getTrue();
    for (auto &[branch, taken] : loop)
      if (Value *one =
              holds ? holdsForAll(branch->getCondition(), taken) : nullptr)
        holds = b.CreateAnd(holds, one);
      else
        holds = nullptr;
    if (!holds)
      continue;
    whole = b.CreateAnd(whole, holds);
    for (auto &[branch, taken] : loop)
      conditions[branch] = taken;
  }
  if (conditions.empty())
    return;
  whole = b.CreateAnd(whole, range.exact(), "whole");

  BasicBlock *general = entry.getEntryBlock().getSingleSuccessor();
  ValueToValueMapTy copies;
  copyBody(entry, ".whole", copies);
  BasicBlock *check =
      BasicBlock::Create(entry.getContext(), "body", &entry, general);
  IRBuilder<>(check).CreateCondBr(whole, cast<BasicBlock>(copies[general]),
                                  general);
  endOfPrologue(entry)->setSuccessor(0, check);
  for (auto &[branch, taken] : conditions) {
    auto *copy = cast<BranchInst>(copies[branch]);
    copy->setCondition(b.getInt1(taken));
    ConstantFoldTerminator(copy->getParent(), /*DeleteDeadConditions=*/true);
  }
  removeUnreachableBlocks(entry);
}

} // namespace

Error separateWholeBlocks(Module &module, const CpuOptions &options) {
  if (options.optLevel >= 2)
    for (Function *entry : entries(module, "block"))
      if (barriersOf(*entry).empty() && !hasPrivateVariables(*entry) &&
          entry->getEntryBlock().getSingleSuccessor())
        WholeBlock(*entry).run();
  return Error::success();
}

} // namespace cufort::cpu
