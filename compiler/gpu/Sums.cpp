//===- Sums.cpp - sums as sums --------------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/Sums.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace {

struct RestoreSums : PassInfoMixin<RestoreSums> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    bool changed = false;
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      auto *bits = dyn_cast<PossiblyDisjointInst>(&instruction);
      if (!bits || !bits->isDisjoint() || isa<Constant>(bits->getOperand(1)))
        continue;
      auto *sum = BinaryOperator::CreateNUWAdd(
          bits->getOperand(0), bits->getOperand(1), "", bits->getIterator());
      sum->setHasNoSignedWrap();
      sum->takeName(bits);
      sum->setDebugLoc(bits->getDebugLoc());
      bits->replaceAllUsesWith(sum);
      bits->eraseFromParent();
      changed = true;
    }
    if (!changed)
      return PreservedAnalyses::all();
    PreservedAnalyses preserved;
    preserved.preserveSet<CFGAnalyses>();
    return preserved;
  }
};

} // namespace

void cufort::restoreSums(PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback(
      [](ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase) {
        passes.addPass(createModuleToFunctionPassAdaptor(RestoreSums()));
      });
}
