//===- LlvmPipelines.h - LLVM's standard passes for x86-64 ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_OPTIMISE_LLVMPIPELINES_H
#define CUFORT_COMPILER_CPU_OPTIMISE_LLVMPIPELINES_H

#include "compiler/cpu/CpuOptions.h"
#include "compiler/cpu/optimise/HostTarget.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

namespace cufort::cpu {

/// LLVM's standard passes with the costs of the oldest level and glibc's vector
/// functions.
class Pipelines {
public:
  explicit Pipelines(const CpuOptions &options)
      : machine(makeHostMachine(cpuOfLevel(0))), tuning(tune(options)),
        builder(machine.get(), tuning), library(llvm::Triple(HostTriple)) {
    functionAnalyses.registerPass(
        [this] { return llvm::TargetLibraryAnalysis(library); });
    builder.registerModuleAnalyses(moduleAnalyses);
    builder.registerCGSCCAnalyses(callGraphAnalyses);
    builder.registerFunctionAnalyses(functionAnalyses);
    builder.registerLoopAnalyses(loopAnalyses);
    builder.crossRegisterProxies(loopAnalyses, functionAnalyses,
                                 callGraphAnalyses, moduleAnalyses);
  }

  void run(llvm::ModulePassManager passes, llvm::Module &module) {
    passes.run(module, moduleAnalyses);
    moduleAnalyses.invalidate(module, llvm::PreservedAnalyses::none());
  }

private:
  static llvm::PipelineTuningOptions tune(const CpuOptions &options) {
    llvm::PipelineTuningOptions tuning;
    tuning.LoopVectorization = options.optLevel >= 2;
    tuning.SLPVectorization = options.optLevel >= 2;
    tuning.LoopInterleaving = options.optLevel >= 2;
    return tuning;
  }

  std::unique_ptr<llvm::TargetMachine> machine;
  llvm::PipelineTuningOptions tuning;

public:
  llvm::PassBuilder builder;

private:
  llvm::TargetLibraryInfoImpl library;
  llvm::LoopAnalysisManager loopAnalyses;
  llvm::FunctionAnalysisManager functionAnalyses;
  llvm::CGSCCAnalysisManager callGraphAnalyses;
  llvm::ModuleAnalysisManager moduleAnalyses;
};

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_OPTIMISE_LLVMPIPELINES_H
