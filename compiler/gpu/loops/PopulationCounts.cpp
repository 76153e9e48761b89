//===- PopulationCounts.cpp - loops that count a number's bits ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/loops/PopulationCounts.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Transforms/Scalar/LoopIdiomRecognize.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

using namespace llvm;

namespace {

/// LLVM's idea of any target, with an instruction that counts bits.
struct CountingTarget : TargetTransformInfoImplBase {
  explicit CountingTarget(const DataLayout &layout)
      : TargetTransformInfoImplBase(layout) {}
  TargetTransformInfo::PopcntSupportKind
  getPopcntSupport(unsigned bits) const override {
    return bits == 32 || bits == 64 ? TargetTransformInfo::PSK_FastHardware
                                    : TargetTransformInfo::PSK_Software;
  }
};

} // namespace

PreservedAnalyses
cufort::recognisePopulationCounts(Loop &loop, LoopAnalysisManager &manager,
                                  LoopStandardAnalysisResults &analyses,
                                  LPMUpdater &updater) {
  TargetTransformInfo target(
      std::make_unique<CountingTarget>(loop.getHeader()->getDataLayout()));
  LoopStandardAnalysisResults forTarget = {
      analyses.AA, analyses.AC,  analyses.DT, analyses.LI,
      analyses.SE, analyses.TLI, target,      analyses.MSSA};
  return LoopIdiomRecognizePass().run(loop, manager, forTarget, updater);
}
