//===- InstructionPass.h - what is done to every instruction ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_INSTRUCTIONPASS_H
#define CUFORT_COMPILER_GPU_INSTRUCTIONPASS_H

#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"

namespace cufort {

/// What a pass leaves valid that keeps the flow of control, and has or has not
/// \p changed anything else.
inline llvm::PreservedAnalyses afterInstructions(bool changed) {
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

/// Calls \p Change with every instruction of a function. It may put others
/// before that one, replace, move and erase it, but leaves the flow of control;
/// it says whether it has changed anything.
template <bool (*Change)(llvm::Instruction &)>
struct InstructionPass : llvm::PassInfoMixin<InstructionPass<Change>> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &) {
    bool changed = false;
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function)))
      changed |= Change(instruction);
    return afterInstructions(changed);
  }
};

/// Makes the pipeline of \p builder end with \p Pass on every function, after
/// what has been added to its end before.
template <typename Pass> void runLast(llvm::PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &passes,
                                             llvm::OptimizationLevel,
                                             llvm::ThinOrFullLTOPhase) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(Pass()));
  });
}

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_INSTRUCTIONPASS_H
