//===- Calls.cpp - calls of the checkers' runtime -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/check/Calls.h"
#include "compiler/check/AccessKinds.h"
#include "image/Check.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace cufort::check {

CallInst *call(IRBuilder<> &b, StringRef name, ArrayRef<Value *> operands,
               Type *result) {
  Module &module = *b.GetInsertBlock()->getModule();
  SmallVector<Type *> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  FunctionCallee callee = module.getOrInsertFunction(
      (image::CheckPrefix + name).str(),
      FunctionType::get(result ? result : b.getVoidTy(), types,
                        /*isVarArg=*/false));
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
  for (Argument &argument : function->args())
    if (argument.getType()->isPointerTy()) {
      if (!result)
        argument.addAttr(Attribute::getWithCaptureInfo(module.getContext(),
                                                       CaptureInfo::none()));
      // LLVM may pass what an array that is only read was copied from.
      if (name != "within")
        argument.addAttr(Attribute::ReadOnly);
    }
  return b.CreateCall(callee, operands);
}

Instruction *only(Value *condition, Instruction &at, Beginning &beginning,
                  bool likely) {
  const bool isBegin = beginning.contains(at.getParent());
  Instruction *then = SplitBlockAndInsertIfThen(
      condition, &at, /*Unreachable=*/false,
      likely ? nullptr
             : MDBuilder(at.getContext()).createUnlikelyBranchWeights());
  if (isBegin)
    beginning.insert(at.getParent());
  return then;
}

/// The arguments of \p mark from \p first on, in memory.
static Value *listOf(IRBuilder<> &b, CallInst &mark, unsigned first) {
  BasicBlock &entry = mark.getFunction()->getEntryBlock();
  auto *type = ArrayType::get(b.getInt64Ty(), mark.arg_size() - first);
  Value *list = IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
  for (unsigned i = first; i < mark.arg_size(); ++i)
    b.CreateStore(mark.getArgOperand(i),
                  b.CreateConstInBoundsGEP2_64(type, list, 0, i - first));
  return list;
}

/// What is said of an element: RANK.NAME.ACCESS, and the subscripts with their
/// bounds.
static void expandBounds(CallInst &mark, StringRef text, Sites &sites) {
  StringRef name = text.split('.').second.split('.').first;
  StringRef access = text.rsplit('.').second;
  const uint32_t flags = access.consume_front("w") ? image::SiteWrites : 0;
  access.consume_front("r");
  uint32_t bytes = 0;
  access.getAsInteger(10, bytes);
  Constant *site = sites.at(mark, nullptr, bytes, 1, flags, name);
  IRBuilder<> b(&mark);
  Value *outside = b.getFalse();
  for (unsigned i = 0; i + 2 < mark.arg_size(); i += 3)
    outside = b.CreateOr(
        outside,
        b.CreateOr(
            b.CreateICmpSLT(mark.getArgOperand(i), mark.getArgOperand(i + 1)),
            b.CreateICmpSGT(mark.getArgOperand(i), mark.getArgOperand(i + 2))));
  if (auto *known = dyn_cast<ConstantInt>(outside); known && known->isZero())
    return;
  MDBuilder weights(mark.getContext());
  b.SetInsertPoint(
      SplitBlockAndInsertIfThen(outside, &mark, /*Unreachable=*/false,
                                weights.createUnlikelyBranchWeights()));
  call(b, "index", {site, b.getInt32(mark.arg_size() / 3), listOf(b, mark, 0)});
}

/// The same of an array: RANK.NAME; the address, the bytes of an element, and
/// lower bound, extent and distance in each dimension.
static void expandArray(CallInst &mark, StringRef text, Sites &sites,
                        Beginning &beginning) {
  StringRef name = text.split('.').second;
  IRBuilder<> b(&mark);
  // What all threads come to first, one of them says.
  if (beginning.contains(mark.getParent()))
    b.SetInsertPoint(only(isFirstThread(b), mark, beginning));
  call(b, "array",
       {mark.getArgOperand(0), sites.text(name), mark.getArgOperand(1),
        b.getInt32((mark.arg_size() - 2) / 3), listOf(b, mark, 2)});
}

/// The same of an iteration of a kernel loop: LEVEL.NAME; its number.
static void expandIteration(CallInst &mark, StringRef text, Sites &sites) {
  uint32_t level = 0;
  text.consumeInteger(10, level);
  Constant *name = sites.text(text.drop_front());
  IRBuilder<> b(&mark);
  call(b, "iteration", {b.getInt32(level), name, mark.getArgOperand(0)});
}

void expandMark(CallInst &mark, StringRef name, Sites &sites,
                Beginning &beginning) {
  if (name.consume_front("bounds."))
    expandBounds(mark, name, sites);
  else if (name.consume_front("array."))
    expandArray(mark, name, sites, beginning);
  else if (name.consume_front("iteration."))
    expandIteration(mark, name, sites);
  else
    return; // of the runtime itself
  mark.eraseFromParent();
}

} // namespace cufort::check
