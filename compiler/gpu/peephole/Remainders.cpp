//===- Remainders.cpp - quotients with their remainders -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/peephole/Remainders.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace cufort;

static bool restore(Instruction &instruction) {
  Value *x = nullptr, *y = nullptr;
  Instruction *quotient = nullptr;
  if (!instruction.getType()->isIntegerTy(64) ||
      !match(&instruction,
             m_Sub(m_Value(x), m_c_Mul(m_Instruction(quotient), m_Value(y)))) ||
      isa<Constant>(y) || quotient->getParent() != instruction.getParent() ||
      !match(quotient, m_IDiv(m_Specific(x), m_Specific(y))))
    return false;
  const bool isSigned = quotient->getOpcode() == Instruction::SDiv;
  auto *remainder =
      BinaryOperator::Create(isSigned ? Instruction::SRem : Instruction::URem,
                             x, y, "", instruction.getIterator());
  remainder->takeName(&instruction);
  remainder->setDebugLoc(instruction.getDebugLoc());
  instruction.replaceAllUsesWith(remainder);
  instruction.eraseFromParent();
  return true;
}

PreservedAnalyses cufort::restoreRemainders(Function &function,
                                            FunctionAnalysisManager &) {
  return changeInstructions(function, restore);
}
