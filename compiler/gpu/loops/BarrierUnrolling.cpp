//===- BarrierUnrolling.cpp - loops that hold a barrier -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/loops/BarrierUnrolling.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace {

/// The factor: with four the loop's end is a few per cent of such loops.
constexpr unsigned IterationsAtOnce = 4;
/// In LLVM's costs; where more has to be done, the loop's end is little of it.
constexpr uint64_t MostOfIterations = 150;

constexpr char Count[] = "llvm.loop.unroll.count";

/// How many barriers \p loop has, if one is in each iteration, and there is
/// nothing else that threads execute together; otherwise none.
unsigned barriersOf(const Loop &loop, const DominatorTree &dominators) {
  unsigned count = 0;
  bool inEachIteration = false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call || !call->isConvergent())
        continue;
      if (!cufort::isBarrier(instruction))
        return 0;
      ++count;
      inEachIteration |= dominators.dominates(block, loop.getLoopLatch());
    }
  return inEachIteration ? count : 0;
}

/// How many iterations of \p loop at a time; one if no more than that.
unsigned iterationsOf(Loop &loop, LoopStandardAnalysisResults &analyses) {
  BasicBlock *latch = loop.getLoopLatch();
  if (!loop.isInnermost() || !latch || loop.getExitingBlock() != latch ||
      !isa<BranchInst>(latch->getTerminator()) ||
      isa<SCEVCouldNotCompute>(analyses.SE.getBackedgeTakenCount(&loop)) ||
      analyses.SE.getSmallConstantTripCount(&loop) ||
      hasUnrollTransformation(&loop) & TM_Disable)
    return 1;
  unsigned barriers = barriersOf(loop, analyses.DT);
  if (barriers == 0)
    return 1;
  if (auto count = getOptionalIntLoopAttribute(&loop, Count))
    return std::max(*count, 1);
  if (barriers > 1)
    return 1;
  SmallPtrSet<const Value *, 32> ephemeral;
  CodeMetrics::collectEphemeralValues(&loop, &analyses.AC, ephemeral);
  UnrollCostEstimator cost(&loop, analyses.TTI, ephemeral, /*BEInsns=*/2);
  if (!cost.canUnroll() || cost.NumInlineCandidates)
    return 1;
  unsigned iterations = IterationsAtOnce;
  while (iterations > 1 &&
         cost.getRolledLoopSize() * iterations > MostOfIterations)
    iterations /= 2;
  return iterations;
}

} // namespace

bool cufort::isBarrier(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call &&
         call->getIntrinsicID() == Intrinsic::nvvm_barrier_cta_sync_aligned_all;
}

PreservedAnalyses
cufort::unrollBarrierLoops(Loop &loop, LoopAnalysisManager &,
                           LoopStandardAnalysisResults &analyses,
                           LPMUpdater &updater) {
  unsigned iterations = iterationsOf(loop, analyses);
  bool asked = findOptionMDForLoop(&loop, Count);
  if (iterations == 1 ||
      !UnrollRuntimeLoopRemainder(
          &loop, iterations, /*AllowExpensiveTripCount=*/asked,
          /*UseEpilogRemainder=*/true, /*UnrollRemainder=*/false,
          /*ForgetAllSCEV=*/false, &analyses.LI, &analyses.SE, &analyses.DT,
          &analyses.AC, &analyses.TTI, /*PreserveLCSSA=*/true,
          SCEVCheapExpansionBudget, /*RuntimeUnrollMultiExit=*/false))
    return PreservedAnalyses::all();
  UnrollLoopOptions options = {};
  options.Count = iterations;
  options.Force = true;
  std::string name = loop.getName().str();
  OptimizationRemarkEmitter remarks(loop.getHeader()->getParent());
  auto result =
      UnrollLoop(&loop, options, &analyses.LI, &analyses.SE, &analyses.DT,
                 &analyses.AC, &analyses.TTI, &remarks, /*PreserveLCSSA=*/true);
  if (result == LoopUnrollResult::FullyUnrolled)
    updater.markLoopAsDeleted(loop, name);
  else
    loop.setLoopAlreadyUnrolled();
  return getLoopPassPreservedAnalyses();
}
