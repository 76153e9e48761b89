//===- JoinedLoads.cpp - loads stay before what is stored -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/simd/JoinedLoads.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace cufort::cpu {

/// The loads that \p join's values are made of by arithmetic, where they are
/// not made in any case.
static void addLoads(PHINode &join, const DominatorTree &dominators,
                     SmallSetVector<LoadInst *, 16> &loads) {
  SmallSetVector<Instruction *, 16> values;
  auto add = [&](Value *value) {
    auto *made = dyn_cast<Instruction>(value);
    if (made && !dominators.dominates(made->getParent(), join.getParent()))
      values.insert(made);
  };
  for (Value *value : join.incoming_values())
    add(value);
  for (unsigned i = 0; i < values.size(); ++i) {
    Instruction *value = values[i];
    if (auto *load = dyn_cast<LoadInst>(value))
      loads.insert(load);
    else if (!isa<PHINode>(value) && !value->mayReadOrWriteMemory())
      for (Value *operand : value->operands())
        add(operand);
  }
}

void freezeJoinedLoads(Function &entry) {
  DominatorTree dominators(entry);
  LoopInfo loops(dominators);
  SmallSetVector<LoadInst *, 16> loads;
  for (Instruction &instruction : instructions(entry))
    if (auto *join = dyn_cast<PHINode>(&instruction);
        join && !loops.isLoopHeader(join->getParent()))
      addLoads(*join, dominators, loads);
  IRBuilder<> b(entry.getContext());
  for (LoadInst *load : loads) {
    // Of a value that is known to be defined the freeze would be dropped.
    load->setMetadata(LLVMContext::MD_noundef, nullptr);
    b.SetInsertPoint(load->getNextNode());
    Value *frozen = b.CreateFreeze(load);
    load->replaceUsesWithIf(frozen,
                            [&](Use &use) { return use.getUser() != frozen; });
  }
}

} // namespace cufort::cpu
