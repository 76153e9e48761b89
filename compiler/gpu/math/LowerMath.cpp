//===- LowerMath.cpp - LLVM's math intrinsics for the GPU -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/math/LowerMath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {
struct Equivalent {
  Intrinsic::ID intrinsic;
  const char *function; ///< without "__nv_" and without the float's "f"
};
} // namespace

static constexpr Equivalent equivalents[] = {
    {Intrinsic::acos, "acos"}, {Intrinsic::asin, "asin"},
    {Intrinsic::atan, "atan"}, {Intrinsic::atan2, "atan2"},
    {Intrinsic::cos, "cos"},   {Intrinsic::cosh, "cosh"},
    {Intrinsic::exp, "exp"},   {Intrinsic::exp10, "exp10"},
    {Intrinsic::exp2, "exp2"}, {Intrinsic::ldexp, "ldexp"},
    {Intrinsic::log, "log"},   {Intrinsic::log10, "log10"},
    {Intrinsic::log2, "log2"}, {Intrinsic::pow, "pow"},
    {Intrinsic::powi, "powi"}, {Intrinsic::sin, "sin"},
    {Intrinsic::sinh, "sinh"}, {Intrinsic::tan, "tan"},
    {Intrinsic::tanh, "tanh"},
};

static Value *callEquivalent(IRBuilder<> &builder, IntrinsicInst &call,
                             StringRef function) {
  Type *type = call.getType();
  SmallVector<Type *> types;
  SmallVector<Value *> arguments(call.args());
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  std::string name =
      ("__nv_" + function + (type->isFloatTy() ? "f" : "")).str();
  FunctionCallee callee = call.getModule()->getOrInsertFunction(
      name, FunctionType::get(type, types, /*isVarArg=*/false));
  CallInst *replacement = builder.CreateCall(callee, arguments);
  replacement->copyFastMathFlags(&call);
  return replacement;
}

/// What \p call shall be instead, or null if the GPU has it.
static Value *lower(IntrinsicInst &call) {
  Type *real = call.arg_size() ? call.getArgOperand(0)->getType() : nullptr;
  if (!real || (!real->isFloatTy() && !real->isDoubleTy()))
    return nullptr;
  IRBuilder<> builder(&call);
  switch (call.getIntrinsicID()) {
  case Intrinsic::lround:
  case Intrinsic::llround:
  case Intrinsic::lrint:
  case Intrinsic::llrint: {
    bool away = call.getIntrinsicID() == Intrinsic::lround ||
                call.getIntrinsicID() == Intrinsic::llround;
    Value *whole = builder.CreateUnaryIntrinsic(
        away ? Intrinsic::round : Intrinsic::rint, call.getArgOperand(0));
    return builder.CreateFPToSI(whole, call.getType());
  }
  default:
    break;
  }
  const Equivalent *found = find_if(equivalents, [&](const Equivalent &each) {
    return each.intrinsic == call.getIntrinsicID();
  });
  if (found == std::end(equivalents))
    return nullptr;
  return callEquivalent(builder, call, found->function);
}

void cufort::lowerMathIntrinsics(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
        if (Value *replacement = lower(*call)) {
          call->replaceAllUsesWith(replacement);
          call->eraseFromParent();
        }
}
