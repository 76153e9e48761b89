//===- Recompute.cpp - values that are cheaper computed again -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/fission/Recompute.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// More instructions than this cost more than a load from the arena.
constexpr unsigned MostInstructions = 8;

bool fits(Value *value, function_ref<bool(Value *)> available,
          unsigned &budget) {
  if (isa<Constant, Argument>(value) || available(value))
    return true;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || budget == 0 || !isPureArithmetic(*instruction))
    return false;
  --budget;
  return all_of(instruction->operands(),
                [&](Use &operand) { return fits(operand, available, budget); });
}

} // namespace

bool isPureArithmetic(const Instruction &instruction) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return (isa<BinaryOperator, CastInst, CmpInst, SelectInst, GetElementPtrInst,
              UnaryOperator, FreezeInst, MinMaxIntrinsic, ExtractValueInst,
              WithOverflowInst>(instruction) ||
          (intrinsic && intrinsic->getIntrinsicID() == Intrinsic::abs)) &&
         isSafeToSpeculativelyExecute(&instruction);
}

bool isRecomputable(Value *value, function_ref<bool(Value *)> available) {
  unsigned budget = MostInstructions;
  return fits(value, available, budget);
}

} // namespace cufort::cpu
