//===- NeedlessBarriers.cpp - barriers that order nothing -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/fission/NeedlessBarriers.h"
#include "compiler/cpu/analysis/BlockUniformity.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/fission/Barriers.h"
#include "compiler/cpu/optimise/MemoryScopes.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// What threads may do to memory that others see: bits.
enum Access : unsigned {
  ReadsShared = 1,
  WritesShared = 2,
  ReadsGlobal = 4,
  WritesGlobal = 8,
  Anything = 15
};

unsigned accessOf(const Instruction &instruction) {
  if (!instruction.mayReadOrWriteMemory())
    return 0;
  const Value *address = getLoadStorePointerOperand(&instruction);
  if (!address || instruction.isVolatile() || instruction.isAtomic())
    return Anything;
  bool writes = isa<StoreInst>(instruction);
  if (!writes && instruction.hasMetadata(LLVMContext::MD_invariant_load))
    return 0;
  const Value *object = getUnderlyingObject(address, 0);
  if (isa<AllocaInst>(object))
    return 0;
  unsigned shared = writes ? WritesShared : ReadsShared,
           global = writes ? WritesGlobal : ReadsGlobal;
  if (auto *variable = dyn_cast<GlobalVariable>(object))
    return variable->isConstant() ? 0 : global;
  std::optional<Memory> memory = memoryAt(address);
  return !memory                        ? shared | global
         : *memory == Memory::Parameter ? global
                                        : shared;
}

/// What happens before or after \p barrier up to the next barriers on all
/// paths.
unsigned accessesBeside(CallInst &barrier, bool before) {
  unsigned found = 0;
  SmallPtrSet<BasicBlock *, 16> passed;
  SmallVector<BasicBlock *> work;
  // Whether a barrier ends the path.
  auto look = [&](Instruction *instruction) {
    for (; instruction; instruction = before ? instruction->getPrevNode()
                                             : instruction->getNextNode()) {
      if (asMark(instruction, BarrierMark))
        return true;
      found |= accessOf(*instruction);
    }
    return false;
  };
  auto goOn = [&](BasicBlock *block) {
    if (before)
      append_range(work, predecessors(block));
    else
      append_range(work, successors(block));
  };
  if (!look(before ? barrier.getPrevNode() : barrier.getNextNode()))
    goOn(barrier.getParent());
  while (!work.empty() && found != Anything) {
    BasicBlock *block = work.pop_back_val();
    if (passed.insert(block).second &&
        !look(before ? &block->back() : &block->front()))
      goOn(block);
  }
  return found;
}

bool ordersNothing(CallInst &barrier) {
  unsigned before = accessesBeside(barrier, true),
           after = accessesBeside(barrier, false);
  auto conflicts = [&](unsigned reads, unsigned writes) {
    return ((before & writes) && (after & (reads | writes))) ||
           ((before & reads) && (after & writes));
  };
  return !conflicts(ReadsShared, WritesShared) &&
         !conflicts(ReadsGlobal, WritesGlobal);
}

/// Whether no branch that threads take differently decides about \p barrier. If
/// one did, threads at another barrier might wait for those at this one.
bool isReachedByAll(CallInst &barrier, PostDominatorTree &postDominators,
                    BlockUniformity &uniformity) {
  ReverseIDFCalculator deciding(postDominators);
  SmallPtrSet<BasicBlock *, 4> defining{barrier.getParent()};
  deciding.setDefiningBlocks(defining);
  SmallVector<BasicBlock *> found;
  deciding.calculate(found);
  return all_of(found, [&](BasicBlock *block) {
    return uniformity.branchesUniformly(*block);
  });
}

void removeFrom(Function &entry) {
  SmallVector<CallInst *> needless;
  for (CallInst *barrier : barriersOf(entry))
    if (kindOfBarrier(*barrier) == BarrierKind::Plain &&
        ordersNothing(*barrier))
      needless.push_back(barrier);
  if (needless.empty())
    return;
  PostDominatorTree postDominators(entry);
  BlockUniformity uniformity(entry);
  for (CallInst *barrier : needless)
    // One that has gone may have separated what this one now does.
    if (ordersNothing(*barrier) &&
        isReachedByAll(*barrier, postDominators, uniformity)) {
      barrier->replaceAllUsesWith(PoisonValue::get(barrier->getType()));
      barrier->eraseFromParent();
    }
}

} // namespace

Error removeNeedlessBarriers(Module &module, const CpuOptions &options) {
  if (options.optLevel > 0)
    for (Function *entry : entries(module, "block"))
      removeFrom(*entry);
  return Error::success();
}

} // namespace cufort::cpu
