//===- AbsoluteDifferences.cpp - absolute differences ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/peephole/AbsoluteDifferences.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// Of a register.
static constexpr unsigned Bits = 32;

/// Makes the instruction of \p instruction if that is a distance of 32 bits.
static bool compute(Instruction &instruction) {
  Value *a, *b;
  auto narrow = [&](auto larger, auto smaller) {
    return match(&instruction, m_ZExt(m_Sub(larger, smaller))) &&
           a->getType()->getIntegerBitWidth() < Bits;
  };
  if (!instruction.getType()->isIntegerTy(Bits))
    return false;
  IRBuilder<> builder(&instruction);
  Type *type = instruction.getType();
  if (narrow(m_UMax(m_Value(a), m_Value(b)),
             m_c_UMin(m_Deferred(a), m_Deferred(b)))) {
    a = builder.CreateZExt(a, type);
    b = builder.CreateZExt(b, type);
  } else if (narrow(m_SMax(m_Value(a), m_Value(b)),
                    m_c_SMin(m_Deferred(a), m_Deferred(b)))) {
    a = builder.CreateSExt(a, type);
    b = builder.CreateSExt(b, type);
  } else if (!match(&instruction, m_Intrinsic<Intrinsic::abs>(m_OneUse(
                                      m_NSWSub(m_Value(a), m_Value(b)))))) {
    return false;
  }
  Value *distance = builder.CreateIntrinsic(
      type, Intrinsic::nvvm_sad_i, {a, b, ConstantInt::getNullValue(type)});
  distance->takeName(&instruction);
  instruction.replaceAllUsesWith(distance);
  RecursivelyDeleteTriviallyDeadInstructions(&instruction);
  return true;
}

/// Makes one instruction of \p instruction if that is a sum with a distance.
static bool add(Instruction &instruction) {
  Value *a, *b, *other;
  if (!match(&instruction, m_c_Add(m_OneUse(m_Intrinsic<Intrinsic::nvvm_sad_i>(
                                       m_Value(a), m_Value(b), m_Zero())),
                                   m_Value(other))))
    return false;
  IRBuilder<> builder(&instruction);
  Value *sum = builder.CreateIntrinsic(instruction.getType(),
                                       Intrinsic::nvvm_sad_i, {a, b, other});
  sum->takeName(&instruction);
  instruction.replaceAllUsesWith(sum);
  RecursivelyDeleteTriviallyDeadInstructions(&instruction);
  return true;
}

PreservedAnalyses cufort::formAbsoluteDifferences(Function &function,
                                                  FunctionAnalysisManager &) {
  PreservedAnalyses preserved = changeInstructions(function, compute);
  preserved.intersect(changeInstructions(function, add));
  return preserved;
}
