//===- GpuPass.h - what a pass over GPU code is -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass is a function over a module, a function or a loop, or makes a pass of
// LLVM's code generator. The table in Pipeline.cpp gives each a name and the
// place where it runs.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_GPUPASS_H
#define CUFORT_COMPILER_GPU_GPUPASS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include <variant>

namespace llvm {
class FunctionPass;
class TargetMachine;
} // namespace llvm

namespace cufort {

struct GpuOptions;

/// Before LLVM's pipeline, on the module as the device link makes it. The
/// target is the one that code is generated for.
using PreparationStep = llvm::Error (*)(llvm::Module &, const GpuOptions &,
                                        llvm::TargetMachine &);
using ModuleStep = llvm::PreservedAnalyses (*)(llvm::Module &,
                                               llvm::ModuleAnalysisManager &,
                                               const GpuOptions &);
using FunctionStep = llvm::PreservedAnalyses (*)(
    llvm::Function &, llvm::FunctionAnalysisManager &);
using LoopStep = llvm::PreservedAnalyses (*)(
    llvm::Loop &, llvm::LoopAnalysisManager &,
    llvm::LoopStandardAnalysisResults &, llvm::LPMUpdater &);
/// Makes passes over LLVM IR or over machine code, for the code generator, and
/// passes on one after the other.
using CodeGenerationStep =
    void (*)(llvm::function_ref<void(llvm::FunctionPass *)>);

using GpuStep = std::variant<PreparationStep, ModuleStep, FunctionStep,
                             LoopStep, CodeGenerationStep>;

/// What a pass leaves valid that keeps the flow of control, and has or has not
/// \p changed anything else.
inline llvm::PreservedAnalyses afterInstructions(bool changed) {
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

/// Calls \p change with every instruction of \p function. It may put others
/// before that one, replace, move and erase it, but leaves the flow of control;
/// it says whether it has changed anything.
llvm::PreservedAnalyses
changeInstructions(llvm::Function &function,
                   llvm::function_ref<bool(llvm::Instruction &)> change);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_GPUPASS_H
