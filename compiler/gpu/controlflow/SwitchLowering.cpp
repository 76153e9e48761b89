//===- SwitchLowering.cpp - short cases under predicates ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/controlflow/SwitchLowering.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace {

/// More of them cost more comparisons than a branch.
constexpr unsigned MostCases = 4;
/// Of values to select one from, a comparison and a selection each.
constexpr unsigned MostValues = 8;
constexpr unsigned MostSelections = 24;
/// A jump through a table takes as long as a search among about as many.
constexpr unsigned MostSearched = 32;
/// As many as ptxas takes for predicates, address arithmetic and all.
constexpr unsigned MostInstructions = 16;

/// Whether \p block does nothing but a few loads, stores and simple arithmetic
/// between \p from and \p next.
bool isShort(const BasicBlock &block, const BasicBlock &from,
             const BasicBlock &next) {
  if (block.getUniquePredecessor() != &from ||
      block.getSingleSuccessor() != &next || block.hasAddressTaken())
    return false;
  unsigned count = 0;
  for (const Instruction &instruction : block) {
    if (instruction.isDebugOrPseudoInst())
      continue;
    auto *call = dyn_cast<CallBase>(&instruction);
    bool isSimple = call ? isa<IntrinsicInst>(call) && !call->isConvergent()
                         : !instruction.isAtomic() && !instruction.isVolatile();
    if (isa<PHINode>(instruction) || !isSimple || ++count > MostInstructions)
      return false;
  }
  return true;
}

bool separate(SwitchInst &choice) {
  BasicBlock *from = choice.getParent();
  BasicBlock *next = choice.getDefaultDest();
  if (choice.getNumCases() < 2 || choice.getNumCases() > MostCases ||
      next == from)
    return false;
  SmallPtrSet<BasicBlock *, MostCases> blocks;
  for (auto &each : choice.cases())
    if (!blocks.insert(each.getCaseSuccessor()).second ||
        !isShort(*each.getCaseSuccessor(), *from, *next))
      return false;

  // What a phi of the next block gets where none of the cases so far applies.
  SmallVector<std::pair<PHINode *, Value *>> values;
  for (PHINode &phi : next->phis())
    values.push_back({&phi, phi.getIncomingValueForBlock(from)});
  IRBuilder<> builder(&choice);
  BasicBlock *test = from;
  for (auto &each : choice.cases()) {
    BasicBlock *block = each.getCaseSuccessor();
    Value *applies =
        builder.CreateICmpEQ(choice.getCondition(), each.getCaseValue());
    if (each.getCaseIndex() + 1 == choice.getNumCases()) {
      builder.CreateCondBr(applies, block, next);
      break;
    }
    auto *join = BasicBlock::Create(from->getContext(), "", from->getParent(),
                                    block->getNextNode());
    builder.CreateCondBr(applies, block, join);
    block->getTerminator()->setSuccessor(0, join);
    builder.SetInsertPoint(join);
    for (auto &[phi, value] : values) {
      PHINode *sofar = builder.CreatePHI(phi->getType(), 2);
      sofar->addIncoming(value, test);
      sofar->addIncoming(phi->removeIncomingValue(block, false), block);
      value = sofar;
    }
    test = join;
  }
  for (auto &[phi, value] : values) {
    phi->removeIncomingValue(from, false);
    phi->addIncoming(value, test);
  }
  choice.eraseFromParent();
  return true;
}

/// Where \p edge of a switch in \p from leads to if nothing is done on that
/// edge; null otherwise. \p before is then the block that the phis there know.
BasicBlock *destination(BasicBlock &from, BasicBlock &edge,
                        BasicBlock *&before) {
  BasicBlock *next = edge.getSingleSuccessor();
  bool isEmpty = next && next != &edge && !edge.hasAddressTaken() &&
                 &*edge.getFirstNonPHIOrDbg() == edge.getTerminator() &&
                 !isa<PHINode>(edge.front()) &&
                 all_of(predecessors(&edge),
                        [&](BasicBlock *block) { return block == &from; });
  before = isEmpty ? &edge : &from;
  return isEmpty ? next : &edge;
}

/// Makes selections of \p choice where its cases do nothing but choose values.
bool selectValues(SwitchInst &choice) {
  BasicBlock &from = *choice.getParent();
  if (!choice.getNumCases() || choice.getNumCases() > MostValues)
    return false;
  // Without a case for the others, the last of the cases is that.
  BasicBlock *others = choice.getDefaultDest();
  unsigned cases = choice.getNumCases();
  if (isa<UnreachableInst>(others->getFirstNonPHIOrDbg()))
    others = (choice.case_begin() + --cases)->getCaseSuccessor();
  BasicBlock *before, *next = destination(from, *others, before);
  SmallVector<std::pair<ConstantInt *, BasicBlock *>, MostValues> blocks;
  for (auto &each : choice.cases()) {
    BasicBlock *block;
    if (destination(from, *each.getCaseSuccessor(), block) != next)
      return false;
    if (each.getCaseIndex() < cases)
      blocks.push_back({each.getCaseValue(), block});
  }
  auto phis = next->phis();
  unsigned count = std::distance(phis.begin(), phis.end());
  if (next == &from || !count || count * cases > MostSelections)
    return false;

  IRBuilder<> builder(&choice);
  SmallVector<Value *, MostValues> applies;
  for (auto &[value, block] : blocks)
    applies.push_back(builder.CreateICmpEQ(choice.getCondition(), value));
  SmallVector<Value *> selected;
  for (PHINode &phi : phis) {
    Value *value = phi.getIncomingValueForBlock(before);
    for (auto [isCase, block] : zip(applies, blocks)) {
      Value *other = phi.getIncomingValueForBlock(block.second);
      if (other != value)
        value = builder.CreateSelect(isCase, other, value);
    }
    selected.push_back(value);
  }
  SmallPtrSet<BasicBlock *, MostValues> successors;
  for (BasicBlock *successor : llvm::successors(&from))
    if (successor != next)
      successors.insert(successor);
  for (PHINode &phi : phis)
    phi.removeIncomingValueIf(
        [&](unsigned i) { return phi.getIncomingBlock(i) == &from; },
        /*DeletePHIIfEmpty=*/false);
  builder.CreateBr(next);
  choice.eraseFromParent();
  for (auto [phi, value] : zip(phis, selected))
    phi.addIncoming(value, &from);
  for (BasicBlock *successor : successors)
    if (pred_empty(successor))
      DeleteDeadBlock(successor, nullptr, /*KeepOneInputPHIs=*/true);
  return true;
}

} // namespace

PreservedAnalyses cufort::lowerSwitches(Function &function,
                                        FunctionAnalysisManager &) {
  SmallVector<SwitchInst *> choices;
  for (BasicBlock &block : function)
    if (auto *choice = dyn_cast<SwitchInst>(block.getTerminator()))
      choices.push_back(choice);
  bool changed = false;
  bool isSearched = true;
  for (SwitchInst *choice : choices) {
    isSearched &= choice->getNumCases() <= MostSearched;
    changed |= selectValues(*choice) || separate(*choice);
  }
  if (isSearched && !choices.empty())
    function.addFnAttr("no-jump-tables", "true");
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
