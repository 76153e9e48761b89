//===- ThreadBody.h - one thread's work as a function -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_BLOCK_THREADBODY_H
#define CUFORT_COMPILER_CPU_BLOCK_THREADBODY_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

namespace cufort::cpu {

/// The body of a loop over threads, taken out as a function void(liveIns...)
/// of its own, in which the loop's counters are reads of the thread index
/// again. It serves as a model from which code for many threads is made, and is
/// thrown away afterwards.
struct ThreadBody {
  /// Copies the body of \p loop, the loop over x, and what the loops \p around
  /// it do (over y, or over y and z). Null, with \p why, where something
  /// outside depends on what the body computes.
  static std::unique_ptr<ThreadBody>
  copy(llvm::Loop &loop, llvm::ArrayRef<llvm::Loop *> around, std::string &why);
  ~ThreadBody();

  llvm::Function *function = nullptr;
  llvm::SmallVector<llvm::Value *> liveIns; ///< what its arguments stand for
  /// Private variables that the body alone uses and that now are its own.
  llvm::SmallVector<llvm::AllocaInst *> variables;
};

/// LLVM's passes for thread bodies, with a target for which branches on the
/// thread index diverge.
class BodyPasses {
public:
  BodyPasses();
  /// Small loops of constant length become straight code, private variables
  /// registers, loops leave at the end, what does not change leaves loops.
  void simplify(llvm::Function &body);
  /// Makes divergent control flow nested: of a divergent branch one edge leads
  /// straight to where the other rejoins it, and a loop that threads leave at
  /// different iterations is left at its end only.
  void structure(llvm::Function &body);

private:
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loopAnalyses;
  llvm::FunctionAnalysisManager functionAnalyses;
  llvm::CGSCCAnalysisManager callGraphAnalyses;
  llvm::ModuleAnalysisManager moduleAnalyses;
};

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_BLOCK_THREADBODY_H
