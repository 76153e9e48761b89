//===- Unrolling.cpp - which loops a GPU's code repeats -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/loops/Unrolling.h"
#include "compiler/gpu/analysis/IterationConditions.h"
#include "compiler/gpu/analysis/LoopAccesses.h"
#include "compiler/gpu/analysis/LoopDependences.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace cufort;

namespace {

/// In LLVM's costs; its own limit is 300.
constexpr uint64_t MostOfAllIterations = 1000;
/// Of loops over shared memory that divide.
constexpr uint64_t MostOfAllQuotients = 300;
/// Of loops with at most that many, which end earlier in some threads.
constexpr unsigned MostUncertainIterations = 8;
constexpr uint64_t MostOfUncertainIterations = 300;
/// Of loops with more iterations, some at a time; its own limit is 75.
constexpr uint64_t MostOfSomeIterations = 200;
constexpr unsigned MostIterationsAtOnce = 32;
/// Of those that load from global memory: as many loads as can be in flight.
constexpr uint64_t MostOfLoadingIterations = 600;
constexpr unsigned MostLoadingIterationsAtOnce = 64;
/// Of loops over an array in a kernel's parameters, which have at most 32 KB.
constexpr uint64_t MostOfParameters = 60000;
/// Of loops in steps of the block or the grid.
constexpr unsigned StrideIterationsAtOnce = 4;
constexpr uint64_t MostOfStrideIterations = 120;
/// Of loops whose trip count is known when they start; LLVM repeats a
/// power of two of iterations up to a cost of 75.
constexpr unsigned CountedIterationsAtOnce = 4;
constexpr uint64_t EnoughForLlvm = 75;
/// Of those that only store in some iterations, what the next may load: the
/// other iterations are short.
constexpr uint64_t MostOfRareStores = 400;
/// Of those that move values on without memory.
constexpr int FewestMoved = 3;
constexpr uint64_t MostOfMovedValues = 600;

constexpr char Never[] = "llvm.loop.unroll.disable";
constexpr char Whole[] = "llvm.loop.unroll.full";
constexpr char Enable[] = "llvm.loop.unroll.enable";
constexpr char Count[] = "llvm.loop.unroll.count";
constexpr char OurWish[] = "cufort.unroll.full";
constexpr char UsersWish[] = "cufort.unroll.user";

/// What \p iterations iterations of \p loop cost; nothing if it cannot be
/// repeated.
std::optional<uint64_t> costOf(Loop &loop, unsigned iterations,
                               AssumptionCache &ac,
                               const TargetTransformInfo &target) {
  SmallPtrSet<const Value *, 32> ephemeral;
  CodeMetrics::collectEphemeralValues(&loop, &ac, ephemeral);
  // Instructions of a loop's end.
  constexpr unsigned ComparisonAndBranch = 2;
  UnrollCostEstimator cost(&loop, target, ephemeral, ComparisonAndBranch);
  if (!cost.canUnroll() || cost.NumInlineCandidates)
    return std::nullopt;
  return (cost.getRolledLoopSize() - ComparisonAndBranch) * iterations +
         ComparisonAndBranch;
}

/// Whether LLVM holds the trip count of \p loop for too expensive to
/// compute, or it is a quotient of what is known at run time only, as in
/// `for (i = thread; i < n; i += threads)`, which LLVM may find cheap.
bool isExpensiveToCount(Loop &loop, LoopStandardAnalysisResults &analyses) {
  const SCEV *iterations = analyses.SE.getBackedgeTakenCount(&loop);
  BasicBlock *before = loop.getLoopPreheader();
  if (isa<SCEVCouldNotCompute>(iterations) || !before)
    return false;
  // What LLVM computes is one more than how often the loop goes back. Where
  // that alone decides, one that divides is left as it is.
  const SCEV *count =
      divides(loop)
          ? iterations
          : analyses.SE.getAddExpr(iterations,
                                   analyses.SE.getOne(iterations->getType()));
  SCEVExpander expander(analyses.SE, "iterations");
  return SCEVExprContains(iterations,
                          [](const SCEV *part) {
                            auto *quotient = dyn_cast<SCEVUDivExpr>(part);
                            return quotient &&
                                   !isa<SCEVConstant>(quotient->getRHS());
                          }) ||
         expander.isHighCostExpansion(count, &loop, SCEVCheapExpansionBudget,
                                      &analyses.TTI, before->getTerminator());
}

bool hasConvergent(const Loop &loop) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      if (auto *call = dyn_cast<CallBase>(&instruction);
          call && call->isConvergent())
        return true;
  return false;
}

/// Whether threads wait for each other in \p loop, as for a lock. However often
/// such a loop is there, they get through it one after the other.
bool isWaiting(const Loop &loop, ScalarEvolution &evolution) {
  return isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop)) &&
         any_of(loop.blocks(), [](BasicBlock *block) {
           return any_of(*block, [](Instruction &instruction) {
             return instruction.isAtomic() || instruction.isVolatile();
           });
         });
}

bool hasWaitingLoop(const Loop &loop, ScalarEvolution &evolution) {
  return any_of(loop.getSubLoops(), [&](Loop *inner) {
    return isWaiting(*inner, evolution) || hasWaitingLoop(*inner, evolution);
  });
}

/// Whether \p loop ends in one place, after a trip count that is known
/// when it starts.
bool isCounted(Loop &loop, ScalarEvolution &evolution) {
  return loop.getExitingBlock() &&
         loop.getExitingBlock() == loop.getLoopLatch() &&
         !isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop));
}

/// Whether \p loop computes without memory, and moves several values on in each
/// iteration, or in some, as a generator of random numbers does with its last
/// ones. In several iterations at a time nothing is moved.
bool movesValuesOn(const Loop &loop) {
  const BasicBlock *latch = loop.getLoopLatch();
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      if (instruction.mayReadOrWriteMemory())
        return false;
  auto isMovedTo = [&](const Value *from, const PHINode &to) {
    auto *phi = dyn_cast<PHINode>(from);
    return phi && phi != &to && phi->getParent() == loop.getHeader();
  };
  return latch &&
         count_if(loop.getHeader()->phis(), [&](const PHINode &phi) {
           const Value *next = phi.getIncomingValueForBlock(latch);
           auto *choice = dyn_cast<PHINode>(next);
           return isMovedTo(next, phi) ||
                  (choice && loop.contains(choice) &&
                   choice->getParent() != loop.getHeader() &&
                   any_of(choice->incoming_values(), [&](const Value *each) {
                     return isMovedTo(each, phi);
                   }));
         }) >= FewestMoved;
}

bool isCheaper(Loop &loop, unsigned iterations, uint64_t most,
               LoopStandardAnalysisResults &analyses) {
  auto cost = costOf(loop, iterations, analyses.AC, analyses.TTI);
  return cost && *cost < most;
}

void ask(Loop &loop, const char *wish, unsigned count) {
  addStringMetadataToLoop(&loop, wish, count);
  addStringMetadataToLoop(&loop, OurWish);
}

/// The most that all iterations of \p loop may cost. Shared memory answers at
/// once, and ptxas moves little across the branches of a quotient: more
/// iterations gain only where the number of each decides something.
uint64_t mostOfAllIterations(const Loop &loop, ScalarEvolution &evolution) {
  if (readsParameters(loop))
    return MostOfParameters;
  return divides(loop) && loadsFromShared(loop) && !loadsFromGlobal(loop) &&
                 !isDecidedByIteration(loop, evolution)
             ? MostOfAllQuotients
             : MostOfAllIterations;
}

/// How many iterations at a time of a loop that has \p iterations of them, and
/// \p loads from global memory.
unsigned divisorOf(unsigned iterations, Loop &loop, bool loads,
                   LoopStandardAnalysisResults &analyses) {
  unsigned atOnce = std::min(iterations, loads ? MostLoadingIterationsAtOnce
                                               : MostIterationsAtOnce);
  uint64_t most = loads ? MostOfLoadingIterations : MostOfSomeIterations;
  while (atOnce > 1 &&
         (iterations % atOnce || !isCheaper(loop, atOnce, most, analyses)))
    --atOnce;
  return atOnce;
}

/// How many iterations at a time of a loop whose trip count the compiler does
/// not know, and which \p loads from global memory; nothing if LLVM shall
/// decide.
unsigned iterationsAtOnce(Loop &loop, bool loads,
                          LoopStandardAnalysisResults &analyses) {
  const bool isFree = !storesWhatItLoads(loop, analyses.AA);
  if ((loads || onlyStoresToGlobal(loop)) && isExpensiveToCount(loop, analyses))
    // The lanes of a warp have few iterations of a row each.
    return !(followsRow(loop) && gathers(loop)) &&
                   isCheaper(loop, StrideIterationsAtOnce,
                             loads && isFree ? MostOfSomeIterations
                                             : MostOfStrideIterations,
                             analyses)
               ? StrideIterationsAtOnce
               : 0;
  if (movesValuesOn(loop) && isCounted(loop, analyses.SE) &&
      isCheaper(loop, CountedIterationsAtOnce, MostOfMovedValues, analyses))
    return CountedIterationsAtOnce;
  if ((!loads && !loadsFromArray(loop) && !loadsBetweenRoots(loop)) ||
      storesWhatItLoads(loop, analyses.AA, &analyses.DT) ||
      hasConvergent(loop) || !isCounted(loop, analyses.SE))
    return 0;
  // LLVM would repeat a short one eight times. Of one that begins again and
  // again, or has few iterations, what is left over counts: one load after the
  // other.
  if (isCheaper(loop, CountedIterationsAtOnce, EnoughForLlvm + 1, analyses))
    return loads && (loop.getLoopDepth() > 1 || followsRow(loop))
               ? CountedIterationsAtOnce
               : 0;
  for (unsigned iterations = CountedIterationsAtOnce; iterations > 1;
       iterations /= 2)
    if (isCheaper(loop, iterations,
                  isFree ? MostOfSomeIterations : MostOfRareStores, analyses))
      return iterations;
  return 0;
}

/// Whether \p loop counts from zero to less than MostIterationsAtOnce. That
/// there is an iteration at all may be known before it in other words than
/// ScalarEvolution's, which then holds any trip count for possible.
bool hasFewIterations(Loop &loop, ScalarEvolution &evolution) {
  if (unsigned most = evolution.getSmallConstantMaxTripCount(&loop))
    return most < MostIterationsAtOnce;
  ICmpInst *end = loop.getLatchCmpInst();
  CmpPredicate predicate;
  Value *start, *limit;
  if (!end || !end->isEquality() ||
      !match(end, m_c_ICmp(predicate, m_c_Add(m_Value(start), m_One()),
                           m_Value(limit))) ||
      !loop.isLoopInvariant(limit))
    return false;
  auto *index = dyn_cast<PHINode>(start);
  if (!index || index->getParent() != loop.getHeader())
    return false;
  for (unsigned incoming = 0; incoming < index->getNumIncomingValues();
       ++incoming)
    if (!loop.contains(index->getIncomingBlock(incoming)) &&
        !match(index->getIncomingValue(incoming), m_Zero()))
      return false;
  return computeKnownBits(limit, end->getDataLayout())
      .getMaxValue()
      .ult(MostIterationsAtOnce);
}

} // namespace

PreservedAnalyses cufort::markUsersLoops(Function &function,
                                         FunctionAnalysisManager &manager) {
  for (Loop *loop :
       manager.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (hasUnrollTransformation(loop) != TM_Unspecified)
      addStringMetadataToLoop(loop, UsersWish);
  return PreservedAnalyses::all();
}

PreservedAnalyses
cufort::requestFullUnrolling(Loop &loop, LoopAnalysisManager &,
                             LoopStandardAnalysisResults &analyses,
                             LPMUpdater &) {
  unsigned iterations = analyses.SE.getSmallConstantTripCount(&loop);
  if (hasUnrollTransformation(&loop) != TM_Unspecified ||
      hasWaitingLoop(loop, analyses.SE))
    return PreservedAnalyses::all();
  if (iterations > 1 &&
      isCheaper(loop, iterations, mostOfAllIterations(loop, analyses.SE),
                analyses))
    ask(loop, Whole, 0);
  if (unsigned most = analyses.SE.getSmallConstantMaxTripCount(&loop);
      !iterations && most > 1 && most <= MostUncertainIterations &&
      loop.isInnermost() && !hasConvergent(loop) &&
      isCheaper(loop, most, MostOfUncertainIterations, analyses))
    ask(loop, Enable, 0);
  return PreservedAnalyses::all();
}

PreservedAnalyses
cufort::requestPartialUnrolling(Loop &loop, LoopAnalysisManager &,
                                LoopStandardAnalysisResults &analyses,
                                LPMUpdater &) {
  if (hasUnrollTransformation(&loop) != TM_Unspecified)
    return PreservedAnalyses::all();
  if (hasWaitingLoop(loop, analyses.SE))
    addStringMetadataToLoop(&loop, Never, true);
  if (!loop.isInnermost())
    return PreservedAnalyses::all();
  unsigned iterations = analyses.SE.getSmallConstantTripCount(&loop);
  bool loads = loadsFromGlobal(loop) && !hasConvergent(loop);
  unsigned atOnce = iterations ? divisorOf(iterations, loop, loads, analyses)
                               : iterationsAtOnce(loop, loads, analyses);
  if (atOnce > 1)
    ask(loop, Count, atOnce);
  return PreservedAnalyses::all();
}

PreservedAnalyses cufort::dropUnrollRequests(Function &function,
                                             FunctionAnalysisManager &manager) {
  for (Loop *loop :
       manager.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (findOptionMDForLoop(loop, OurWish))
      loop->setLoopID(makePostTransformationMetadata(
          function.getContext(), loop->getLoopID(),
          {Whole, Enable, Count, OurWish}, {}));
  return PreservedAnalyses::all();
}

PreservedAnalyses
cufort::allowUnrollingByPtxas(Function &function,
                              FunctionAnalysisManager &manager) {
  auto &evolution = manager.getResult<ScalarEvolutionAnalysis>(function);
  for (Loop *loop :
       manager.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!findOptionMDForLoop(loop, Never) ||
        findOptionMDForLoop(loop, UsersWish))
      continue;
    if (hasFewIterations(*loop, evolution) &&
        !evolution.getSmallConstantTripCount(loop))
      continue;
    loop->setLoopID(makePostTransformationMetadata(
        function.getContext(), loop->getLoopID(), {Never}, {}));
  }
  return PreservedAnalyses::all();
}

PreservedAnalyses cufort::branchBackOnTrue(Function &function,
                                           FunctionAnalysisManager &manager) {
  bool changed = false;
  for (Loop *loop :
       manager.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    BasicBlock *last = loop->getLoopLatch();
    auto *branch = last ? dyn_cast<BranchInst>(last->getTerminator()) : nullptr;
    if (!branch || !branch->isConditional() ||
        branch->getSuccessor(1) != loop->getHeader())
      continue;
    auto *comparison = dyn_cast<CmpInst>(branch->getCondition());
    if (!comparison || !comparison->hasOneUse())
      continue;
    comparison->setPredicate(comparison->getInversePredicate());
    branch->swapSuccessors();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
