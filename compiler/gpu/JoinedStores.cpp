//===- JoinedStores.cpp - what two ways store to one place ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/JoinedStores.h"
#include "compiler/gpu/InstructionPass.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace cufort;

namespace {

/// The store that is all that \p block does but for computing where to, or
/// null.
StoreInst *onlyStore(BasicBlock &block) {
  auto *store =
      dyn_cast_or_null<StoreInst>(block.getTerminator()->getPrevNode());
  if (!store || !store->isSimple() || !block.getSingleSuccessor() ||
      block.hasAddressTaken())
    return nullptr;
  auto *address = dyn_cast_or_null<GetElementPtrInst>(store->getPrevNode());
  if (address && store->getPointerOperand() != address)
    return nullptr;
  const Instruction *first = address ? address : cast<Instruction>(store);
  return &block.front() == first ? store : nullptr;
}

bool isSamePlace(const Value *one, const Value *other) {
  if (one == other)
    return true;
  auto *first = dyn_cast<GetElementPtrInst>(one);
  auto *second = dyn_cast<GetElementPtrInst>(other);
  return first && second && first->isIdenticalTo(second);
}

/// Joins two of the blocks that lead to \p next; returns whether it has.
bool join(BasicBlock &next) {
  SmallVector<StoreInst *> stores;
  for (BasicBlock *before : predecessors(&next))
    if (StoreInst *store = onlyStore(*before))
      stores.push_back(store);
  for (size_t n = 0; n != stores.size(); ++n)
    for (size_t m = n + 1; m != stores.size(); ++m) {
      StoreInst &one = *stores[n], &other = *stores[m];
      if (!isSamePlace(one.getPointerOperand(), other.getPointerOperand()) ||
          one.getValueOperand()->getType() !=
              other.getValueOperand()->getType() ||
          any_of(next.phis(), [&](PHINode &phi) {
            return phi.getIncomingValueForBlock(one.getParent()) !=
                   phi.getIncomingValueForBlock(other.getParent());
          }))
        continue;
      BasicBlock *from = other.getParent(), *into = one.getParent();
      BasicBlock *both = BasicBlock::Create(next.getContext(), "stored",
                                            next.getParent(), &next);
      IRBuilder<> builder(both);
      PHINode *value = builder.CreatePHI(one.getValueOperand()->getType(), 2);
      value->addIncoming(one.getValueOperand(), into);
      value->addIncoming(other.getValueOperand(), from);
      auto *address = dyn_cast<Instruction>(one.getPointerOperand());
      if (address && address->getParent() == into)
        address->moveBefore(*both, both->end());
      one.setOperand(0, value);
      one.setAlignment(std::min(one.getAlign(), other.getAlign()));
      one.applyMergedLocation(one.getDebugLoc(), other.getDebugLoc());
      one.setAAMetadata(one.getAAMetadata().merge(other.getAAMetadata()));
      one.moveBefore(*both, both->end());
      builder.CreateBr(&next);
      for (PHINode &phi : next.phis()) {
        phi.addIncoming(phi.getIncomingValueForBlock(into), both);
        phi.removeIncomingValue(into);
        phi.removeIncomingValue(from);
      }
      auto *otherAddress = dyn_cast<Instruction>(other.getPointerOperand());
      other.eraseFromParent();
      if (otherAddress && otherAddress->use_empty())
        otherAddress->eraseFromParent();
      into->getTerminator()->replaceSuccessorWith(&next, both);
      from->getTerminator()->replaceSuccessorWith(&next, both);
      return true;
    }
  return false;
}

struct JoinStores : PassInfoMixin<JoinStores> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    bool changed = false;
    for (BasicBlock &block : make_early_inc_range(function))
      while (join(block))
        changed = true;
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

} // namespace

void cufort::joinStores(PassBuilder &builder) { runLast<JoinStores>(builder); }
