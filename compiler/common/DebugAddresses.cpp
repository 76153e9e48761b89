//===- DebugAddresses.cpp - addresses that debuggers find ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/common/DebugAddresses.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

/// Puts what \p record says to lie at an address in a register there where the
/// address is kept.
static void keepAddress(DbgVariableRecord &record) {
  Value *address = record.getAddress();
  if (!address || isa<AllocaInst, Constant>(address) ||
      !address->getType()->isPointerTy())
    return;
  Function &function = *record.getFunction();
  IRBuilder<> first(&*function.getEntryBlock().getFirstInsertionPt());
  AllocaInst *slot = first.CreateAlloca(address->getType());
  if (auto *instruction = dyn_cast<Instruction>(address)) {
    auto behind = instruction->getInsertionPointAfterDef();
    if (!behind)
      return;
    IRBuilder<>(instruction->getParent(), *behind).CreateStore(address, slot);
  } else {
    first.SetInsertPoint(slot->getNextNode());
    first.CreateStore(address, slot);
  }
  record.replaceVariableLocationOp(0u, slot);
  record.setExpression(
      DIExpression::prepend(record.getExpression(), DIExpression::DerefBefore));
}

void cufort::keepAddresses(Function &function) {
  SmallVector<DbgVariableRecord *> declared;
  for (Instruction &instruction : instructions(function))
    for (DbgVariableRecord &record :
         filterDbgVars(instruction.getDbgRecordRange()))
      if (record.isDbgDeclare())
        declared.push_back(&record);
  for (DbgVariableRecord *record : declared)
    keepAddress(*record);
}
