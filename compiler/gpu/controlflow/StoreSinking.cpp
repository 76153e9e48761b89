//===- StoreSinking.cpp - what two branches store to one place ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/controlflow/StoreSinking.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace cufort;

namespace {

bool isArithmetic(const Value *value) {
  return isa<GetElementPtrInst, CastInst, BinaryOperator>(value);
}

/// How a block ends that goes on to one place.
struct End {
  StoreInst *store = nullptr;
  /// What gives the value, if that is a load which nothing else needs.
  LoadInst *load = nullptr;
  /// Whether the block does nothing else but compute where the store goes.
  bool isAll = false;
};

End endOf(BasicBlock &block) {
  End end;
  auto *store =
      dyn_cast_or_null<StoreInst>(block.getTerminator()->getPrevNode());
  if (!store || !store->isSimple() || !block.getSingleSuccessor() ||
      block.hasAddressTaken())
    return end;
  end.store = store;
  // Backwards over what nothing else needs.
  const Instruction *first = store;
  while (const Instruction *before = first->getPrevNode()) {
    if (!isArithmetic(before) || !before->hasOneUse() ||
        cast<Instruction>(before->user_back())->getParent() != &block)
      break;
    first = before;
  }
  const auto *value = dyn_cast<Instruction>(store->getValueOperand());
  end.isAll = &*block.getFirstNonPHIIt() == first &&
              (!value || value->getParent() != &block || isa<PHINode>(value));
  auto *load = dyn_cast<LoadInst>(store->getValueOperand());
  if (load && load->getParent() == &block && load->isSimple() &&
      load->hasOneUse() &&
      none_of(make_range(load->getIterator(), store->getIterator()),
              [](Instruction &between) { return between.mayWriteToMemory(); }))
    end.load = load;
  return end;
}

/// Whether both extend in the same way, if one of them knows of a sign that is
/// not there.
bool extendAlike(const Instruction &one, const Instruction &other) {
  auto extends = [](const Instruction &each) {
    return isa<SExtInst>(each) || (isa<ZExtInst>(each) && each.hasNonNeg());
  };
  return extends(one) && extends(other) && one.getType() == other.getType();
}

/// Whether both are the same address, computed in the same way.
bool isSamePlace(const Value *one, const Value *other) {
  if (one == other)
    return true;
  auto *first = dyn_cast<Instruction>(one);
  auto *second = dyn_cast<Instruction>(other);
  return first && second && isArithmetic(first) && first->hasOneUse() &&
         (first->isSameOperationAs(second) || extendAlike(*first, *second)) &&
         all_of(zip(first->operands(), second->operands()), [](auto pair) {
           return isSamePlace(std::get<0>(pair).get(), std::get<1>(pair).get());
         });
}

/// Whether one load, of one kind of memory, can stand for those of both.
bool canLoadOnce(const End &one, const End &other) {
  return one.load && other.load &&
         one.load->getPointerOperandType() ==
             other.load->getPointerOperandType();
}

/// Moves what computes \p value, and \p same in the same way, to the end of
/// \p to.
void moveWithOperands(Value *value, const Value *same, BasicBlock *to) {
  if (value == same)
    return;
  auto *instruction = cast<Instruction>(value);
  for (auto [own, other] :
       zip(instruction->operands(), cast<Instruction>(same)->operands()))
    moveWithOperands(own.get(), other.get(), to);
  if (isa<ZExtInst>(value) && isa<SExtInst>(same)) {
    auto *extended = new SExtInst(instruction->getOperand(0), value->getType(),
                                  value->getName(), to);
    value->replaceAllUsesWith(extended);
    instruction->eraseFromParent();
    return;
  }
  instruction->andIRFlags(same);
  instruction->moveBefore(*to, to->end());
}

/// What \p one and \p other have chosen, behind both.
Value *choose(IRBuilder<> &builder, Value *one, BasicBlock *from, Value *other,
              BasicBlock *fromOther) {
  if (one == other)
    return one;
  PHINode *choice = builder.CreatePHI(one->getType(), 2);
  choice->addIncoming(one, from);
  choice->addIncoming(other, fromOther);
  return choice;
}

/// Makes one end of two before \p next.
void join(const End &one, const End &other, BasicBlock &next) {
  const bool withLoads = canLoadOnce(one, other);
  BasicBlock *into = one.store->getParent(), *from = other.store->getParent();
  BasicBlock *both =
      BasicBlock::Create(next.getContext(), "stored", next.getParent(), &next);
  IRBuilder<> builder(both);
  if (withLoads) {
    one.load->setOperand(0, choose(builder, one.load->getPointerOperand(), into,
                                   other.load->getPointerOperand(), from));
    combineMetadataForCSE(one.load, other.load, /*DoesKMove=*/true);
    one.load->setAlignment(
        std::min(one.load->getAlign(), other.load->getAlign()));
    one.load->applyMergedLocation(one.load->getDebugLoc(),
                                  other.load->getDebugLoc());
  } else {
    one.store->setOperand(0, choose(builder, one.store->getValueOperand(), into,
                                    other.store->getValueOperand(), from));
  }
  moveWithOperands(one.store->getPointerOperand(),
                   other.store->getPointerOperand(), both);
  if (withLoads)
    one.load->moveBefore(*both, both->end());
  one.store->setAlignment(
      std::min(one.store->getAlign(), other.store->getAlign()));
  one.store->applyMergedLocation(one.store->getDebugLoc(),
                                 other.store->getDebugLoc());
  one.store->setAAMetadata(
      one.store->getAAMetadata().merge(other.store->getAAMetadata()));
  one.store->moveBefore(*both, both->end());
  builder.SetInsertPoint(both);
  builder.CreateBr(&next);
  for (PHINode &phi : next.phis()) {
    phi.addIncoming(phi.getIncomingValueForBlock(into), both);
    phi.removeIncomingValue(into);
    phi.removeIncomingValue(from);
  }
  Value *address = other.store->getPointerOperand();
  other.store->eraseFromParent();
  if (withLoads)
    other.load->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(address);
  into->getTerminator()->replaceSuccessorWith(&next, both);
  from->getTerminator()->replaceSuccessorWith(&next, both);
}

/// Whether \p one and \p other may become one: both load, or do nothing but
/// store.
bool canJoin(const End &one, const End &other) {
  return canLoadOnce(one, other) || (one.isAll && other.isAll);
}

/// Joins two of the blocks that lead to \p next, at first such that both load;
/// returns whether it has.
bool join(BasicBlock &next) {
  SmallVector<End> ends;
  for (BasicBlock *before : predecessors(&next))
    if (End end = endOf(*before); end.store)
      ends.push_back(end);
  for (auto *may : {canLoadOnce, canJoin})
    for (size_t n = 0; n != ends.size(); ++n)
      for (size_t m = n + 1; m != ends.size(); ++m) {
        const StoreInst &one = *ends[n].store, &other = *ends[m].store;
        if (!may(ends[n], ends[m]) || one.getParent() == other.getParent() ||
            one.getValueOperand()->getType() !=
                other.getValueOperand()->getType() ||
            !isSamePlace(one.getPointerOperand(), other.getPointerOperand()) ||
            any_of(next.phis(), [&](PHINode &phi) {
              return phi.getIncomingValueForBlock(one.getParent()) !=
                     phi.getIncomingValueForBlock(other.getParent());
            }))
          continue;
        join(ends[n], ends[m], next);
        return true;
      }
  return false;
}

} // namespace

PreservedAnalyses cufort::sinkStores(Function &function,
                                     FunctionAnalysisManager &) {
  bool changed = false;
  for (BasicBlock &block : make_early_inc_range(function))
    while (join(block))
      changed = true;
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
