//===- Reflect.cpp - what device code asks its compiler -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/import/Reflect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace cufort::cpu {

static bool asksForCpu(Value *question) {
  auto *name = dyn_cast<GlobalVariable>(question->stripPointerCasts());
  auto *text = name && name->hasInitializer()
                   ? dyn_cast<ConstantDataArray>(name->getInitializer())
                   : nullptr;
  return text && text->isCString() && text->getAsCString() == "__CUFORT_CPU";
}

/// Puts \p value in the place of \p instruction and folds what uses it.
static void replaceAndFold(Instruction *instruction, Constant *value) {
  SmallVector<Instruction *> users;
  for (User *user : instruction->users())
    users.push_back(cast<Instruction>(user));
  instruction->replaceAllUsesWith(value);
  const DataLayout &layout = instruction->getDataLayout();
  instruction->eraseFromParent();
  for (Instruction *user : users)
    if (Constant *folded = ConstantFoldInstruction(user, layout))
      replaceAndFold(user, folded);
}

/// A procedure that does nothing but answer.
static Constant *answerOf(const Function &function) {
  if (function.isDeclaration() || function.size() != 1 ||
      function.front().size() != 1)
    return nullptr;
  auto *back = dyn_cast<ReturnInst>(function.front().getTerminator());
  return back ? dyn_cast_or_null<ConstantInt>(back->getReturnValue()) : nullptr;
}

void answerReflect(Module &module) {
  SmallSetVector<Function *, 8> askers;
  auto replaceCalls = [&](Function &callee, auto answer) {
    for (User *user : make_early_inc_range(callee.users()))
      if (auto *call = dyn_cast<CallBase>(user);
          call && call->getCalledOperand() == &callee) {
        askers.insert(call->getFunction());
        replaceAndFold(call, answer(*call));
      }
  };
  for (StringRef name : {"__nvvm_reflect", "llvm.nvvm.reflect"})
    if (Function *reflect = module.getFunction(name))
      replaceCalls(*reflect, [](CallBase &call) {
        return ConstantInt::get(call.getType(),
                                asksForCpu(call.getArgOperand(0)));
      });
  // Headers ask through a function.
  for (size_t i = 0; i != askers.size(); ++i)
    if (Constant *answer = answerOf(*askers[i]))
      replaceCalls(*askers[i], [&](CallBase &) { return answer; });
  for (Function *function : askers) {
    for (BasicBlock &block : *function)
      ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
    removeUnreachableBlocks(*function);
  }
}

} // namespace cufort::cpu
