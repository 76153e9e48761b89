//===- MathConstants.cpp - approximations with exact values ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/peephole/MathConstants.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include <cmath>

using namespace llvm;

namespace {

/// The value of \p call, or null where the GPU has to say.
Constant *exactValue(const IntrinsicInst &call) {
  if (!call.getType()->isFloatTy())
    return nullptr;
  switch (call.getIntrinsicID()) {
  default:
    return nullptr;
  case Intrinsic::nvvm_lg2_approx_f:
  case Intrinsic::nvvm_lg2_approx_ftz_f: {
    auto *x = dyn_cast<ConstantFP>(call.getArgOperand(0));
    if (!x || x->isNegative() || !x->getValueAPF().isNormal())
      return nullptr;
    int exponent = x->getValueAPF().getExactLog2();
    return exponent == INT_MIN ? nullptr
                               : ConstantFP::get(call.getType(), exponent);
  }
  case Intrinsic::nvvm_ex2_approx:
  case Intrinsic::nvvm_ex2_approx_ftz: {
    auto *x = dyn_cast<ConstantFP>(call.getArgOperand(0));
    if (!x || !x->getValueAPF().isInteger())
      return nullptr;
    float exponent = x->getValueAPF().convertToFloat();
    if (exponent < -126 || exponent > 127)
      return nullptr;
    return ConstantFP::get(call.getType(), std::ldexp(1.0, int(exponent)));
  }
  }
}

bool compute(Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  Constant *value = call ? exactValue(*call) : nullptr;
  if (!value)
    return false;
  call->replaceAllUsesWith(value);
  call->eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses cufort::foldExactMath(Function &function,
                                        FunctionAnalysisManager &) {
  return changeInstructions(function, compute);
}
