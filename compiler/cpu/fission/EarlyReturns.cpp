//===- EarlyReturns.cpp - threads that leave before a barrier -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/fission/EarlyReturns.h"
#include "compiler/cpu/analysis/BlockUniformity.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/fission/Barriers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// Blocks from which a barrier can be reached.
SmallPtrSet<BasicBlock *, 32> blocksBeforeBarriers(Function &entry) {
  SmallPtrSet<BasicBlock *, 32> reaching;
  SmallVector<BasicBlock *> work;
  for (CallInst *barrier : barriersOf(entry))
    if (reaching.insert(barrier->getParent()).second)
      work.push_back(barrier->getParent());
  while (!work.empty())
    for (BasicBlock *before : predecessors(work.pop_back_val()))
      if (reaching.insert(before).second)
        work.push_back(before);
  return reaching;
}

/// Gives \p from, whose terminator may name \p to more than once, a block of
/// its own on the edge to \p to.
BasicBlock *splitEdge(BasicBlock *from, BasicBlock *to) {
  BasicBlock *edge =
      BasicBlock::Create(from->getContext(), "stay", from->getParent(), to);
  IRBuilder<>(edge).CreateBr(to);
  Instruction *terminator = from->getTerminator();
  for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i)
    if (terminator->getSuccessor(i) == to)
      terminator->setSuccessor(i, edge);
  for (PHINode &phi : to->phis()) {
    phi.addIncoming(phi.getIncomingValueForBlock(from), edge);
    phi.removeIncomingValueIf(
        [&](unsigned i) { return phi.getIncomingBlock(i) == from; },
        /*DeletePHIIfEmpty=*/false);
  }
  return edge;
}

/// Whether a thread that goes to \p to ever gets to the end.
bool leadsToAnEnd(BasicBlock *to) {
  SetVector<BasicBlock *> reached;
  reached.insert(to);
  for (unsigned i = 0; i < reached.size(); ++i)
    reached.insert_range(successors(reached[i]));
  return any_of(reached, [](BasicBlock *block) { return succ_empty(block); });
}

/// Copies what is reachable from \p to for the threads that come from \p from,
/// and lets them join \p stay at the end.
void leaveThrough(BasicBlock *from, BasicBlock *to, BasicBlock *stay) {
  SetVector<BasicBlock *> reached;
  reached.insert(to);
  for (unsigned i = 0; i < reached.size(); ++i)
    reached.insert_range(successors(reached[i]));

  ValueToValueMapTy copies;
  SmallVector<BasicBlock *> made;
  for (BasicBlock *block : reached) {
    BasicBlock *copy =
        CloneBasicBlock(block, copies, ".leave", from->getParent());
    copies[block] = copy;
    made.push_back(copy);
  }
  for (BasicBlock *copy : made)
    for (Instruction &instruction : *copy)
      RemapInstruction(&instruction, copies,
                       RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  for (BasicBlock *copy : made) {
    for (PHINode &phi : make_early_inc_range(copy->phis()))
      phi.removeIncomingValueIf([&](unsigned i) {
        BasicBlock *source = phi.getIncomingBlock(i);
        return !is_contained(made, source) &&
               !(copy == made.front() && source == from);
      });
    if (auto *back = dyn_cast<ReturnInst>(copy->getTerminator())) {
      IRBuilder<> b(back);
      FunctionCallee mark = copy->getModule()->getOrInsertFunction(
          ThreadExitMark, Type::getVoidTy(copy->getContext()));
      b.CreateCall(mark);
      b.CreateBr(stay);
      back->eraseFromParent();
    } else if (isa<UnreachableInst>(copy->getTerminator())) {
      // No thread comes here (the impossible case of a switch, or after a
      // trap): it may go anywhere.
      copy->getTerminator()->eraseFromParent();
      IRBuilder<>(copy).CreateBr(stay);
    }
  }
  // A phi has one operand per edge, here as there.
  Instruction *terminator = from->getTerminator();
  for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i)
    if (terminator->getSuccessor(i) == to) {
      terminator->setSuccessor(i, made.front());
      to->removePredecessor(from, /*KeepOneInputPHIs=*/true);
    }
}

/// Turns the edges out of \p block that miss all barriers into exits of
/// single threads. Returns whether there were any.
bool maskExitsOf(BasicBlock *block,
                 const SmallPtrSetImpl<BasicBlock *> &beforeBarriers) {
  SetVector<BasicBlock *> leaving;
  BasicBlock *staying = nullptr;
  for (BasicBlock *successor : successors(block)) {
    if (beforeBarriers.contains(successor))
      staying = successor;
    else if (leadsToAnEnd(successor))
      leaving.insert(successor);
  }
  if (!staying || leaving.empty())
    return false;
  BasicBlock *stay = splitEdge(block, staying);
  for (BasicBlock *to : leaving)
    leaveThrough(block, to, stay);
  return true;
}

/// Finds a uniform branch to a return that only some threads come to, because a
/// divergent one decides whether the barrier behind it is reached.
BasicBlock *hiddenExit(Function &entry, BlockUniformity &uniformity,
                       const SmallPtrSetImpl<BasicBlock *> &beforeBarriers) {
  PostDominatorTree postDominators(entry);
  SmallPtrSet<BasicBlock *, 8> barriers;
  for (CallInst *barrier : barriersOf(entry))
    barriers.insert(barrier->getParent());
  ReverseIDFCalculator frontier(postDominators);
  frontier.setDefiningBlocks(barriers);
  SmallVector<BasicBlock *> deciding;
  frontier.calculate(deciding);
  for (BasicBlock *divergent : deciding) {
    if (uniformity.branchesUniformly(*divergent))
      continue;
    for (BasicBlock *block : deciding)
      if (uniformity.branchesUniformly(*block) &&
          !postDominators.dominates(block, divergent) &&
          any_of(successors(block), [&](BasicBlock *successor) {
            return !beforeBarriers.contains(successor);
          }))
        return block;
  }
  return nullptr;
}

void maskEarlyReturnsOf(Function &entry) {
  // Every round removes a path from before a barrier to a return.
  for (;;) {
    auto beforeBarriers = blocksBeforeBarriers(entry);
    BlockUniformity uniformity(entry);
    SmallVector<BasicBlock *> divergent;
    for (BasicBlock &block : entry)
      if (beforeBarriers.contains(&block) &&
          !uniformity.branchesUniformly(block))
        divergent.push_back(&block);
    bool changed = false;
    for (BasicBlock *block : divergent)
      changed |= maskExitsOf(block, beforeBarriers);
    if (!changed)
      if (BasicBlock *block = hiddenExit(entry, uniformity, beforeBarriers))
        changed = maskExitsOf(block, beforeBarriers);
    if (!changed)
      return;
    removeUnreachableBlocks(entry);
  }
}

} // namespace

Error maskEarlyReturns(Module &module, const CpuOptions &) {
  for (Function *entry : entries(module, "block"))
    if (!barriersOf(*entry).empty())
      maskEarlyReturnsOf(*entry);
  return Error::success();
}

} // namespace cufort::cpu
