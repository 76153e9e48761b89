//===- ConditionPhis.cpp - conditions that are numbers --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/controlflow/ConditionPhis.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace cufort;

namespace {

/// Makes \p condition a number if it is one of two or more edges, one
/// of which computes it, and it is used as numbers of one type only.
bool number(PHINode &condition) {
  if (!condition.getType()->isIntegerTy(1) || condition.use_empty())
    return false;
  Type *type = condition.user_back()->getType();
  if (!all_of(condition.users(), [&](User *user) {
        return isa<ZExtInst>(user) && user->getType() == type;
      }))
    return false;
  unsigned computed = 0;
  for (Value *value : condition.incoming_values()) {
    if (value == &condition)
      return false;
    computed += !isa<Constant>(value);
  }
  if (computed != 1)
    return false;
  IRBuilder<> builder(&condition);
  PHINode *result = builder.CreatePHI(type, condition.getNumIncomingValues());
  for (unsigned incoming = 0; incoming != condition.getNumIncomingValues();
       ++incoming) {
    BasicBlock *before = condition.getIncomingBlock(incoming);
    IRBuilder<> there(before->getTerminator());
    result->addIncoming(
        there.CreateZExt(condition.getIncomingValue(incoming), type), before);
  }
  for (User *user : make_early_inc_range(condition.users())) {
    user->replaceAllUsesWith(result);
    cast<Instruction>(user)->eraseFromParent();
  }
  condition.eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses cufort::extendConditionPhis(Function &function,
                                              FunctionAnalysisManager &) {
  bool changed = false;
  for (BasicBlock &block : function)
    for (PHINode &phi : make_early_inc_range(block.phis()))
      changed |= number(phi);
  return afterInstructions(changed);
}
