//===- ThreadIndices.cpp - the order in which indices are read ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/addressing/ThreadIndices.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace {

bool isIndexOfBlock(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return true;
  default:
    return false;
  }
}

bool isSizeOfBlock(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return true;
  default:
    return false;
  }
}

/// Whether \p value is computed of constants and of what the kernel was handed.
bool isOfParameters(const Value *value, unsigned depth = 0) {
  if (isa<Constant, Argument>(value))
    return true;
  auto *instruction = dyn_cast<Instruction>(value);
  return instruction && depth != 4 &&
         isa<BinaryOperator, CastInst>(instruction) &&
         all_of(instruction->operands(), [&](const Value *operand) {
           return isOfParameters(operand, depth + 1);
         });
}

/// The comparison of \p index with a sum of parameters, computed after the
/// index has been read, if the index is needed for nothing else before.
ICmpInst *comparisonWithSum(Instruction &index) {
  BasicBlock *block = index.getParent();
  Instruction *first = nullptr;
  for (User *user : index.users()) {
    auto *instruction = cast<Instruction>(user);
    if (isa<PHINode>(instruction))
      return nullptr;
    if (instruction->getParent() == block &&
        (!first || instruction->comesBefore(first)))
      first = instruction;
  }
  auto *comparison = dyn_cast_or_null<ICmpInst>(first);
  if (!comparison)
    return nullptr;
  auto *sum = dyn_cast<Instruction>(
      comparison->getOperand(comparison->getOperand(0) == &index));
  return sum && sum->getParent() == block && index.comesBefore(sum) &&
                 isOfParameters(sum)
             ? comparison
             : nullptr;
}

bool readFirst(Instruction &instruction) {
  if (isIndexOfBlock(instruction))
    if (ICmpInst *comparison = comparisonWithSum(instruction)) {
      instruction.moveBefore(comparison->getIterator());
      return true;
    }
  if (!isSizeOfBlock(instruction))
    return false;
  auto before =
      make_range(instruction.getParent()->begin(), instruction.getIterator());
  auto first = find_if(before, isIndexOfBlock);
  if (first == before.end())
    return false;
  instruction.moveBefore(first);
  return true;
}

} // namespace

PreservedAnalyses cufort::readBlockSizeFirst(Function &function,
                                             FunctionAnalysisManager &) {
  return changeInstructions(function, readFirst);
}
