//===- PrivateArrays.cpp - private arrays on a GPU ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/lowering/PrivateArrays.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

/// The widest access of a thread.
static constexpr uint64_t WidestAccess = 16;

static bool align(Instruction &instruction) {
  auto *array = dyn_cast<AllocaInst>(&instruction);
  if (!array || !array->isStaticAlloca())
    return false;
  std::optional<TypeSize> size =
      array->getAllocationSize(instruction.getDataLayout());
  if (!size || size->isScalable() || size->isZero())
    return false;
  const Align wanted =
      std::max(array->getAlign(),
               commonAlignment(Align(WidestAccess), size->getFixedValue()));
  if (wanted == array->getAlign())
    return false;
  array->setAlignment(wanted);
  return true;
}

PreservedAnalyses cufort::alignPrivateArrays(Function &function,
                                             FunctionAnalysisManager &) {
  return changeInstructions(function, align);
}
