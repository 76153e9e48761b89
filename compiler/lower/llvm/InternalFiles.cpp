//===- InternalFiles.cpp - input and output with characters ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/llvm/InternalFiles.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static constexpr StringRef Prefix = "_FortranAio";

/// Of struct Statement (device/internal/statement.h).
static constexpr unsigned StateBytes = 512;

/// The last arguments of such a call: memory, its size, file, line.
static constexpr unsigned FromMemoryOn = 4;

static CallBase *beginning(Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with("_FortranAioBeginInternal") &&
                 call->arg_size() > FromMemoryOn
             ? call
             : nullptr;
}

static void giveMemory(CallBase &begin) {
  IRBuilder<> builder(&*begin.getFunction()->getEntryBlock().begin());
  AllocaInst *state = builder.CreateAlloca(
      ArrayType::get(builder.getInt64Ty(), StateBytes / 8), nullptr, "state");
  const unsigned memory = begin.arg_size() - FromMemoryOn;
  begin.setArgOperand(memory, state);
  begin.setArgOperand(
      memory + 1,
      ConstantInt::get(begin.getArgOperand(memory + 1)->getType(), StateBytes));
}

static void rename(CallBase &call) {
  Function *callee = call.getCalledFunction();
  StringRef name = callee ? callee->getName() : "";
  if (!name.consume_front(Prefix))
    return;
  FunctionCallee internal = callee->getParent()->getOrInsertFunction(
      ("__cufort_internal_" + name).str(), callee->getFunctionType(),
      callee->getAttributes());
  call.setCalledFunction(internal);
}

void cufort::lower::lowerInternalFiles(Module &device) {
  SmallVector<CallBase *> statements;
  for (Function &function : device)
    for (Instruction &instruction : instructions(function))
      if (CallBase *begin = beginning(instruction))
        statements.push_back(begin);
  for (CallBase *begin : statements) {
    giveMemory(*begin);
    for (User *user : make_early_inc_range(begin->users()))
      if (auto *call = dyn_cast<CallBase>(user))
        rename(*call);
  }
}
