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

constexpr unsigned TurnsAtOnce = 4;
/// In LLVM's costs; where more has to be done, the loop's end is little of it.
constexpr uint64_t MostOfTurns = 150;

constexpr char Count[] = "llvm.loop.unroll.count";

/// How many barriers \p loop has, if one is in each turn, and there is nothing
/// else that threads execute together; otherwise none.
unsigned barriersOf(const Loop &loop, const DominatorTree &dominators) {
  unsigned count = 0;
  bool inEachTurn = false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call || !call->isConvergent())
        continue;
      if (!cufort::isBarrier(instruction))
        return 0;
      ++count;
      inEachTurn |= dominators.dominates(block, loop.getLoopLatch());
    }
  return inEachTurn ? count : 0;
}

/// How many turns of \p loop at a time; one if no more than that.
unsigned turnsOf(Loop &loop, LoopStandardAnalysisResults &analyses) {
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
  unsigned turns = TurnsAtOnce;
  while (turns > 1 && cost.getRolledLoopSize() * turns > MostOfTurns)
    turns /= 2;
  return turns;
}

struct RepeatBarrierLoops : PassInfoMixin<RepeatBarrierLoops> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &,
                        LoopStandardAnalysisResults &analyses,
                        LPMUpdater &updater) {
    unsigned turns = turnsOf(loop, analyses);
    bool asked = findOptionMDForLoop(&loop, Count);
    if (turns == 1 ||
        !UnrollRuntimeLoopRemainder(
            &loop, turns, /*AllowExpensiveTripCount=*/asked,
            /*UseEpilogRemainder=*/true, /*UnrollRemainder=*/false,
            /*ForgetAllSCEV=*/false, &analyses.LI, &analyses.SE, &analyses.DT,
            &analyses.AC, &analyses.TTI, /*PreserveLCSSA=*/true,
            SCEVCheapExpansionBudget, /*RuntimeUnrollMultiExit=*/false))
      return PreservedAnalyses::all();
    UnrollLoopOptions options = {};
    options.Count = turns;
    options.Force = true;
    std::string name = loop.getName().str();
    OptimizationRemarkEmitter remarks(loop.getHeader()->getParent());
    auto result = UnrollLoop(&loop, options, &analyses.LI, &analyses.SE,
                             &analyses.DT, &analyses.AC, &analyses.TTI,
                             &remarks, /*PreserveLCSSA=*/true);
    if (result == LoopUnrollResult::FullyUnrolled)
      updater.markLoopAsDeleted(loop, name);
    else
      loop.setLoopAlreadyUnrolled();
    return getLoopPassPreservedAnalyses();
  }
};

} // namespace

bool cufort::isBarrier(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call &&
         call->getIntrinsicID() == Intrinsic::nvvm_barrier_cta_sync_aligned_all;
}

void cufort::repeatBarrierLoops(PassBuilder &builder) {
  builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel) {
        passes.addPass(createFunctionToLoopPassAdaptor(RepeatBarrierLoops()));
      });
}
