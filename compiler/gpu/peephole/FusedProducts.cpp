//===- FusedProducts.cpp - which product is fused with a sum --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/peephole/FusedProducts.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

static BinaryOperator *productThatMayBeFused(Value *value) {
  auto *product = dyn_cast<BinaryOperator>(value);
  return product && product->getOpcode() == Instruction::FMul &&
                 product->hasAllowContract()
             ? product
             : nullptr;
}

static bool fuseOwn(Instruction &sum) {
  bool isDifference = sum.getOpcode() == Instruction::FSub;
  if ((!isDifference && sum.getOpcode() != Instruction::FAdd) ||
      !sum.hasAllowContract())
    return false;
  BinaryOperator *first = productThatMayBeFused(sum.getOperand(0));
  BinaryOperator *second = productThatMayBeFused(sum.getOperand(1));
  if (!first || !second || first->getParent() == sum.getParent() ||
      second->getParent() != sum.getParent())
    return false;
  if (!isDifference) {
    sum.getOperandUse(0).swap(sum.getOperandUse(1));
    return true;
  }
  IRBuilder<> b(&sum);
  b.setFastMathFlags(sum.getFastMathFlags());
  Value *fused = b.CreateIntrinsic(
      Intrinsic::fma, {sum.getType()},
      {b.CreateFNeg(second->getOperand(0)), second->getOperand(1), first});
  fused->takeName(&sum);
  sum.replaceAllUsesWith(fused);
  sum.eraseFromParent();
  return true;
}

PreservedAnalyses cufort::orderFusedProducts(Function &function,
                                             FunctionAnalysisManager &) {
  return changeInstructions(function, fuseOwn);
}
