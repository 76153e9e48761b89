//===- RacingScalars.cpp - shared scalars without barriers ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/import/RacingScalars.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// Where a shared scalar lies: the variable and the bytes from its beginning.
using Place = std::pair<const Value *, int64_t>;

struct Accesses {
  SmallVector<LoadInst *> loads;
  SmallVector<StoreInst *> stores;
};

bool isSharedVariable(const Value &object) {
  auto *variable = dyn_cast<GlobalVariable>(&object);
  return variable && variable->getAttributes()
                             .getAttribute(VariableAttribute)
                             .getValueAsString() == "shared";
}

MapVector<Place, Accesses> accessesOf(Function &kernel) {
  MapVector<Place, Accesses> found;
  const DataLayout &layout = kernel.getDataLayout();
  for (Instruction &instruction : instructions(kernel)) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    auto *store = dyn_cast<StoreInst>(&instruction);
    if ((!load || !load->isSimple()) && (!store || !store->isSimple()))
      continue;
    APInt offset(layout.getIndexTypeSizeInBits(
                     getLoadStorePointerOperand(&instruction)->getType()),
                 0);
    const Value *object = getLoadStorePointerOperand(&instruction)
                              ->stripAndAccumulateConstantOffsets(
                                  layout, offset, /*AllowNonInbounds=*/true);
    if (!isSharedVariable(*object))
      continue;
    Accesses &here = found[{object, offset.getSExtValue()}];
    load ? here.loads.push_back(load) : here.stores.push_back(store);
  }
  return found;
}

/// Whether control may come from \p from to \p to without a barrier.
bool reaches(Instruction &from, Instruction &to) {
  SmallPtrSet<BasicBlock *, 16> passed;
  SmallVector<Instruction *> work{from.getNextNode()};
  while (!work.empty()) {
    Instruction *at = work.pop_back_val();
    BasicBlock *block = at->getParent();
    for (; at && at != &to && !asMark(at, BarrierMark); at = at->getNextNode())
      ;
    if (at == &to)
      return true;
    if (!at)
      for (BasicBlock *next : successors(block))
        if (passed.insert(next).second)
          work.push_back(&next->front());
  }
  return false;
}

/// Of what a condition is computed from: more than in any test that one thread
/// passes, `if (threadidx%x == 1)` and its like.
constexpr unsigned MostValues = 64;

/// Whether \p condition is computed from the thread's index.
bool asksForThread(Value *condition) {
  SmallPtrSet<Value *, 32> seen;
  SmallVector<Value *> work{condition};
  while (!work.empty() && seen.size() < MostValues) {
    Value *value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (threadIndexDimension(value) >= 0)
      return true;
    if (auto *instruction = dyn_cast<Instruction>(value);
        instruction && !instruction->mayReadOrWriteMemory())
      append_range(work, instruction->operand_values());
  }
  return false;
}

/// Whether a branch by the thread's index leads to \p store, and not all that
/// come to \p load have taken it.
bool isChosen(const StoreInst &store, const LoadInst &load,
              DominatorTree &dominators) {
  for (auto *node = dominators.getNode(store.getParent()); node->getIDom();
       node = node->getIDom()) {
    BasicBlock *block = node->getBlock(),
               *before = block->getSinglePredecessor();
    auto *branch =
        before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
    if (!branch || !branch->isConditional())
      continue;
    if (dominators.dominates(block, load.getParent()))
      return false; // and those further out, too
    if (asksForThread(branch->getCondition()))
      return true;
  }
  return false;
}

/// Makes accesses to one place volatile where a thread chosen by its index
/// writes what others read on the way.
void keepInStep(const Accesses &accesses, DominatorTree &dominators) {
  for (StoreInst *store : accesses.stores)
    for (LoadInst *load : accesses.loads)
      if (isChosen(*store, *load, dominators) &&
          (reaches(*load, *store) || reaches(*store, *load))) {
        store->setVolatile(true);
        load->setVolatile(true);
      }
}

} // namespace

Error keepRacesInStep(Module &module, const CpuOptions &) {
  for (Function *kernel : kernels(module)) {
    MapVector<Place, Accesses> accesses = accessesOf(*kernel);
    accesses.remove_if([](const auto &each) {
      return each.second.loads.empty() || each.second.stores.empty();
    });
    if (accesses.empty())
      continue;
    DominatorTree dominators(*kernel);
    for (auto &[place, here] : accesses)
      keepInStep(here, dominators);
  }
  return Error::success();
}

} // namespace cufort::cpu
