//===- RegisteredAnalyses.h - what LLVM's pass managers ask -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_COMMON_REGISTEREDANALYSES_H
#define CUFORT_COMPILER_COMMON_REGISTEREDANALYSES_H

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
}

namespace cufort {

/// One of each kind, which know each other. What a caller registers before is
/// kept in place of LLVM's own analysis.
struct RegisteredAnalyses {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;

  /// Registers the analyses of \p builder's target.
  void registerAnalyses(llvm::PassBuilder &builder);
};

} // namespace cufort

#endif // CUFORT_COMPILER_COMMON_REGISTEREDANALYSES_H
