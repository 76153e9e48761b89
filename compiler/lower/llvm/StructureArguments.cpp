//===- StructureArguments.cpp - structures by value, as C has them --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/llvm/StructureArguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

static bool isRecord(Type *type) {
  auto *structure = dyn_cast<StructType>(type);
  return structure && structure->hasName();
}

static bool hasRecords(FunctionType *type) {
  return any_of(type->params(), isRecord);
}

static FunctionType *typeAsC(FunctionType *type) {
  SmallVector<Type *> parameters(type->params());
  for (Type *&parameter : parameters)
    if (isRecord(parameter))
      parameter = PointerType::get(type->getContext(), 0);
  return FunctionType::get(type->getReturnType(), parameters, type->isVarArg());
}

/// \p old with the address of a copy for each record of \p type.
static AttributeList attributesAsC(AttributeList old, FunctionType *type,
                                   const DataLayout &layout) {
  LLVMContext &context = type->getContext();
  for (auto [index, parameter] : enumerate(type->params())) {
    if (!isRecord(parameter))
      continue;
    old = old.removeParamAttributes(context, index);
    old = old.addParamAttribute(
        context, index, Attribute::getWithByValType(context, parameter));
    old =
        old.addParamAttribute(context, index,
                              Attribute::getWithAlignment(
                                  context, layout.getABITypeAlign(parameter)));
  }
  return old;
}

/// Calls copy their records to memory of the caller.
static void rewriteCall(CallInst &call) {
  FunctionType *type = call.getFunctionType();
  const DataLayout &layout = call.getDataLayout();
  Function &caller = *call.getFunction();
  IRBuilder<> entry(&caller.getEntryBlock(),
                    caller.getEntryBlock().getFirstInsertionPt());
  IRBuilder<> builder(&call);
  SmallVector<Value *> arguments(call.args());
  for (auto [parameter, argument] : zip(type->params(), arguments)) {
    if (!isRecord(parameter))
      continue;
    AllocaInst *copy = entry.CreateAlloca(parameter);
    copy->setAlignment(layout.getABITypeAlign(parameter));
    builder.CreateStore(argument, copy);
    argument = copy;
  }
  CallInst *rewritten =
      builder.CreateCall(typeAsC(type), call.getCalledOperand(), arguments);
  rewritten->setAttributes(attributesAsC(call.getAttributes(), type, layout));
  rewritten->setCallingConv(call.getCallingConv());
  rewritten->copyMetadata(call);
  rewritten->takeName(&call);
  call.replaceAllUsesWith(rewritten);
  call.eraseFromParent();
}

static void rewriteFunction(Function &old) {
  FunctionType *type = old.getFunctionType();
  const DataLayout &layout = old.getDataLayout();
  Function *rewritten =
      Function::Create(typeAsC(type), old.getLinkage(), old.getAddressSpace(),
                       "", old.getParent());
  rewritten->copyAttributesFrom(&old);
  rewritten->setAttributes(attributesAsC(old.getAttributes(), type, layout));
  rewritten->copyMetadata(&old, 0);
  rewritten->setComdat(old.getComdat());
  rewritten->takeName(&old);
  old.replaceAllUsesWith(rewritten);
  if (!old.isDeclaration()) {
    rewritten->splice(rewritten->begin(), &old);
    IRBuilder<> builder(&rewritten->getEntryBlock(),
                        rewritten->getEntryBlock().getFirstInsertionPt());
    for (auto [before, now] : zip(old.args(), rewritten->args())) {
      Value *value = &now;
      if (isRecord(before.getType()))
        value = builder.CreateLoad(before.getType(), &now);
      now.takeName(&before);
      before.replaceAllUsesWith(value);
    }
  }
  old.eraseFromParent();
}

void cufort::lower::passStructuresAsC(Module &device) {
  for (Function &function : device)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && !call->isInlineAsm() && hasRecords(call->getFunctionType()))
        rewriteCall(*call);
  for (Function &function : make_early_inc_range(device))
    if (!function.isIntrinsic() && hasRecords(function.getFunctionType()))
      rewriteFunction(function);
}
