//===- BlockUniformity.h - what all threads of a block agree on -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_ANALYSIS_BLOCKUNIFORMITY_H
#define CUFORT_COMPILER_CPU_ANALYSIS_BLOCKUNIFORMITY_H

#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace cufort::cpu {

/// LLVM's uniformity analysis asked for a block of threads instead of a warp:
/// parameters, block index and shapes are uniform, and so is what is computed
/// or loaded from them; thread indices, atomics, volatile loads, private
/// variables and unknown calls differ. A snapshot: make a new one after a
/// change of the function.
class BlockUniformity {
public:
  explicit BlockUniformity(llvm::Function &entry)
      : BlockUniformity(entry, Threads::All) {}

  /// Which threads are compared: all of the block, or those of one row, which
  /// differ in x only (and in their number in the block), or those of a warp.
  /// In the latter two cases they go together, so that votes have one result.
  enum class Threads { All, OfOneRow, OfOneWarp };
  BlockUniformity(llvm::Function &entry, Threads threads);

  /// Whether the threads that reach the definition together have one value.
  bool isUniform(const llvm::Value &value) const {
    return info->isUniform(&value);
  }
  /// Whether the definition of a uniform value lies in a loop that threads
  /// leave at different iterations, so that \p use sees different values.
  bool differsAt(const llvm::Use &use) const {
    return info->isDivergentUse(use);
  }
  bool branchesUniformly(const llvm::BasicBlock &block) {
    return !info->hasDivergentTerminator(block);
  }
  /// Whether \p block lies in a loop that threads leave at different
  /// iterations: what is computed there is not the same for all once they have
  /// left, uniform or not.
  bool isLeftApart(const llvm::BasicBlock &block) const;

private:
  llvm::FunctionAnalysisManager analyses;
  llvm::UniformityInfo *info = nullptr;
  llvm::CycleInfo *cycles = nullptr;
};

/// The target behind the analysis, for passes of LLVM that ask it themselves.
llvm::TargetIRAnalysis blockTargetAnalysis(BlockUniformity::Threads threads);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_ANALYSIS_BLOCKUNIFORMITY_H
