//===- NarrowIndices.cpp - indices that stay 32 bits wide -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/addressing/NarrowIndices.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace cufort;

namespace {

/// Whether \p value is `x + 1`, which does not overflow and is needed for
/// nothing but an index that \p other is added to, and `x + other` is not known
/// from elsewhere: it would be the index of a neighbour.
bool hidesNumber(Value *value, Value *other) {
  Value *rest = nullptr;
  return match(value, m_OneUse(m_NSWAddLike(m_Value(rest), m_ConstantInt()))) &&
         none_of(rest->users(), [&](User *user) {
           return match(user, m_c_Add(m_Specific(rest), m_Specific(other)));
         });
}

bool keepNarrow(Instruction &instruction) {
  auto *place = dyn_cast<GetElementPtrInst>(&instruction);
  Instruction *sum = nullptr;
  if (!place || place->getNumIndices() != 1 || place->getType()->isVectorTy() ||
      !match(place->getOperand(1), m_SExt(m_Instruction(sum))) ||
      sum->getOpcode() != Instruction::Add || !sum->hasNoSignedWrap() ||
      !sum->getType()->isIntegerTy(32) ||
      isa<ConstantInt>(sum->getOperand(1)) ||
      (!hidesNumber(sum->getOperand(0), sum->getOperand(1)) &&
       !hidesNumber(sum->getOperand(1), sum->getOperand(0))))
    return false;
  sum->setHasNoSignedWrap(false);
  return true;
}

} // namespace

PreservedAnalyses cufort::narrowIndices(Function &function,
                                        FunctionAnalysisManager &) {
  return changeInstructions(function, keepNarrow);
}
