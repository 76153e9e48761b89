//===- ExactDivision.h - divisions with all their digits --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ANALYSIS_EXACTDIVISION_H
#define CUFORT_COMPILER_GPU_ANALYSIS_EXACTDIVISION_H

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

namespace cufort {

/// Whether \p instruction is a division or a square root with all its digits:
/// some ten instructions and a branch of its own.
inline bool isExactDivision(const llvm::Instruction &instruction) {
  using namespace llvm;
  if (!instruction.getType()->isFloatTy() &&
      !instruction.getType()->isDoubleTy())
    return false;
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::nvvm_sqrt_rn_f:
  case Intrinsic::nvvm_sqrt_rn_d:
    return true;
  case Intrinsic::sqrt:
    break;
  default:
    if (instruction.getOpcode() != Instruction::FDiv)
      return false;
  }
  return !instruction.hasApproxFunc() && !instruction.hasAllowReciprocal();
}

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ANALYSIS_EXACTDIVISION_H
