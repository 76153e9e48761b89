//===- AutomaticArrays.cpp - arrays of the heap become private ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/lowering/AutomaticArrays.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

/// As much of a thread's stack, of which there is a kilobyte by default, as
/// such arrays of one kernel may take together.
static constexpr uint64_t MostBytes = 256;

static bool isCallOf(const Value *value, StringRef name) {
  auto *call = dyn_cast<CallInst>(value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() && callee->getName() == name;
}

/// Whether \p block, which malloc has given, is used by nothing that could keep
/// its address. A null test is one that an array passes.
static bool staysHere(CallInst &block, SmallVectorImpl<CallInst *> &frees) {
  SmallVector<Value *> worklist{&block};
  while (!worklist.empty()) {
    Value *pointer = worklist.pop_back_val();
    for (Use &use : pointer->uses()) {
      auto *user = cast<Instruction>(use.getUser());
      if (isa<LoadInst>(user))
        continue;
      if (auto *store = dyn_cast<StoreInst>(user)) {
        if (store->getValueOperand() == pointer)
          return false;
        continue;
      }
      if (isa<GetElementPtrInst>(user)) {
        worklist.push_back(user);
        continue;
      }
      if (auto *compare = dyn_cast<ICmpInst>(user);
          compare && pointer == &block && compare->isEquality() &&
          isa<ConstantPointerNull>(compare->getOperand(1)))
        continue;
      if (isa<MemIntrinsic>(user))
        continue;
      if (pointer == &block && isCallOf(user, "free")) {
        frees.push_back(cast<CallInst>(user));
        continue;
      }
      return false;
    }
  }
  return true;
}

PreservedAnalyses cufort::keepArraysPrivate(Function &function,
                                            FunctionAnalysisManager &) {
  const Module &module = *function.getParent();
  if (!module.getFunction("malloc") ||
      module.getDataLayout().getAllocaAddrSpace() != 0)
    return PreservedAnalyses::all();
  SmallVector<CallInst *> blocks;
  for (Instruction &instruction : instructions(function))
    if (isCallOf(&instruction, "malloc"))
      blocks.push_back(cast<CallInst>(&instruction));
  uint64_t taken = 0;
  bool changed = false;
  for (CallInst *block : blocks) {
    auto *size = dyn_cast<ConstantInt>(block->getArgOperand(0));
    SmallVector<CallInst *> frees;
    if (!size || size->getValue().ugt(MostBytes - taken) ||
        !staysHere(*block, frees))
      continue;
    taken += size->getZExtValue();
    // The contents of a block that an iteration of a loop has freed are
    // nobody's in the next one.
    IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    AllocaInst *array = builder.CreateAlloca(ArrayType::get(
        builder.getInt8Ty(), std::max<uint64_t>(1, size->getZExtValue())));
    array->setAlignment(Align(16));
    for (CallInst *each : frees)
      each->eraseFromParent();
    block->replaceAllUsesWith(array);
    block->eraseFromParent();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
