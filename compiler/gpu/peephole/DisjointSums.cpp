//===- DisjointSums.cpp - sums as sums ------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/peephole/DisjointSums.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

static bool restore(Instruction &instruction) {
  auto *bits = dyn_cast<PossiblyDisjointInst>(&instruction);
  if (!bits || !bits->isDisjoint() || isa<Constant>(bits->getOperand(1)))
    return false;
  auto *sum = BinaryOperator::CreateNUWAdd(
      bits->getOperand(0), bits->getOperand(1), "", bits->getIterator());
  sum->setHasNoSignedWrap();
  sum->takeName(bits);
  sum->setDebugLoc(bits->getDebugLoc());
  bits->replaceAllUsesWith(sum);
  bits->eraseFromParent();
  return true;
}

PreservedAnalyses cufort::restoreDisjointSums(Function &function,
                                              FunctionAnalysisManager &) {
  return changeInstructions(function, restore);
}
