//===- Unrolling.cpp - which loops a GPU's code repeats -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/loops/Unrolling.h"
#include "compiler/gpu/analysis/IterationConditions.h"
#include "compiler/gpu/analysis/LoopDependences.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace cufort;

namespace {

/// In LLVM's costs; its own limit is 300.
constexpr uint64_t MostOfAllTurns = 1000;
/// Of loops over shared memory that divide.
constexpr uint64_t MostOfAllQuotients = 300;
/// Of loops with at most that many, which end earlier in some threads.
constexpr unsigned MostUncertainTurns = 8;
constexpr uint64_t MostOfUncertainTurns = 300;
/// Of loops with more turns, some at a time; its own limit is 75.
constexpr uint64_t MostOfSomeTurns = 200;
constexpr unsigned MostTurnsAtOnce = 32;
/// Of those that load from global memory: as many loads as can be under way.
constexpr uint64_t MostOfLoadingTurns = 600;
constexpr unsigned MostLoadingTurnsAtOnce = 64;
/// Of loops over an array in a kernel's parameters, which have at most 32 KB.
constexpr uint64_t MostOfParameters = 60000;
/// Of loops in steps of the block or the grid.
constexpr unsigned StrideTurnsAtOnce = 4;
constexpr uint64_t MostOfStrideTurns = 120;
/// Of loops whose number of turns is known when they start; LLVM repeats a
/// power of two of turns up to a cost of 75.
constexpr unsigned CountedTurnsAtOnce = 4;
constexpr uint64_t EnoughForLlvm = 75;
/// Of those that only store in some turns, what the next may load: the other
/// turns are short.
constexpr uint64_t MostOfRareStores = 400;
/// Of those that move values on without memory.
constexpr int FewestMoved = 3;
constexpr uint64_t MostOfMovedValues = 600;
/// For what is left over.
constexpr unsigned MostTurnsLeft = 7;
constexpr uint64_t MostOfTurnsLeft = 150;

constexpr char Never[] = "llvm.loop.unroll.disable";
constexpr char Whole[] = "llvm.loop.unroll.full";
constexpr char Enable[] = "llvm.loop.unroll.enable";
constexpr char Count[] = "llvm.loop.unroll.count";
constexpr char OurWish[] = "cufort.unroll.full";
constexpr char UsersWish[] = "cufort.unroll.user";

/// What \p turns turns of \p loop cost; nothing if it cannot be repeated.
std::optional<uint64_t> costOf(Loop &loop, unsigned turns, AssumptionCache &ac,
                               const TargetTransformInfo &target) {
  SmallPtrSet<const Value *, 32> ephemeral;
  CodeMetrics::collectEphemeralValues(&loop, &ac, ephemeral);
  constexpr unsigned ComparisonAndBranch = 2;
  UnrollCostEstimator cost(&loop, target, ephemeral, ComparisonAndBranch);
  if (!cost.canUnroll() || cost.NumInlineCandidates)
    return std::nullopt;
  return (cost.getRolledLoopSize() - ComparisonAndBranch) * turns +
         ComparisonAndBranch;
}

/// Whether \p loop has a division with branches, which ptxas moves no load
/// across: the loads of several turns would still wait for each other.
bool divides(const Loop &loop) {
  return any_of(loop.blocks(), [](BasicBlock *block) {
    return any_of(*block, [](Instruction &instruction) {
      return instruction.getOpcode() == Instruction::FDiv &&
             !instruction.hasApproxFunc();
    });
  });
}

/// Whether LLVM holds the number of turns of \p loop for too expensive to
/// compute, or it is a quotient of what is known at run time only, as in
/// `for (i = thread; i < n; i += threads)`, which LLVM may find cheap.
bool isExpensiveToCount(Loop &loop, LoopStandardAnalysisResults &analyses) {
  const SCEV *turns = analyses.SE.getBackedgeTakenCount(&loop);
  BasicBlock *before = loop.getLoopPreheader();
  if (isa<SCEVCouldNotCompute>(turns) || !before)
    return false;
  // What LLVM computes is one more than how often the loop goes back. Where
  // that alone decides, one that divides is left as it is.
  const SCEV *count =
      divides(loop)
          ? turns
          : analyses.SE.getAddExpr(turns, analyses.SE.getOne(turns->getType()));
  SCEVExpander expander(analyses.SE, "turns");
  return SCEVExprContains(turns,
                          [](const SCEV *part) {
                            auto *quotient = dyn_cast<SCEVUDivExpr>(part);
                            return quotient &&
                                   !isa<SCEVConstant>(quotient->getRHS());
                          }) ||
         expander.isHighCostExpansion(count, &loop, SCEVCheapExpansionBudget,
                                      &analyses.TTI, before->getTerminator());
}

/// Whether \p loop loads from an object for which \p isSo holds.
template <typename IsSo> bool loadsFrom(const Loop &loop, IsSo isSo) {
  return any_of(loop.blocks(), [isSo](BasicBlock *block) {
    return any_of(*block, [isSo](Instruction &instruction) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      return load && isSo(getUnderlyingObject(load->getPointerOperand()));
    });
  });
}

/// Whether the address of \p object is global or generic.
bool isGlobal(const Value *object) {
  unsigned space = object->getType()->getPointerAddressSpace();
  return space == NVPTXAS::ADDRESS_SPACE_GENERIC ||
         space == NVPTXAS::ADDRESS_SPACE_GLOBAL;
}

/// Whether a thread that did several turns at a time would have several
/// accesses under way: shared memory answers at once.
bool loadsFromGlobal(const Loop &loop) {
  return loadsFrom(loop, [](const Value *object) {
    return isGlobal(object) && !isa<AllocaInst>(object);
  });
}

bool loadsFromShared(const Loop &loop) {
  return loadsFrom(loop, [](const Value *object) {
    return object->getType()->getPointerAddressSpace() ==
           NVPTXAS::ADDRESS_SPACE_SHARED;
  });
}

/// An array of the thread which is no register: it lies in global memory too.
bool loadsFromArray(const Loop &loop) {
  return loadsFrom(loop, [](const Value *object) {
    return isGlobal(object) && isa<AllocaInst>(object);
  });
}

/// Whether \p loop loads from memory and computes square roots or quotients,
/// for which ptxas has a branch each: it repeats no such loop itself, in which
/// one turn's load would wait for what the one before has computed.
bool loadsBetweenRoots(const Loop &loop) {
  bool loads = false, hasRoots = false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      loads |= isa<LoadInst>(instruction);
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      Intrinsic::ID function = call ? call->getIntrinsicID() : Intrinsic::ID();
      hasRoots |= instruction.getOpcode() == Instruction::FDiv ||
                  function == Intrinsic::sqrt ||
                  function == Intrinsic::nvvm_sqrt_rn_f ||
                  function == Intrinsic::nvvm_sqrt_rn_d;
    }
  return loads && hasRoots;
}

/// Parameters lie in constant memory, where an element whose place is known is
/// an operand of any instruction, and one that is not has to be loaded first.
bool readsParameters(const Loop &loop) {
  return loadsFrom(loop, [](const Value *object) {
    auto *parameter = dyn_cast<Argument>(object);
    return parameter && parameter->hasByValAttr();
  });
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

/// Whether \p loop fills global memory, and does nothing else to memory.
bool onlyStoresToGlobal(const Loop &loop) {
  bool stores = false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      if (!instruction.mayReadOrWriteMemory())
        continue;
      auto *store = dyn_cast<StoreInst>(&instruction);
      if (!store || !store->isSimple())
        return false;
      const Value *object = getUnderlyingObject(store->getPointerOperand());
      unsigned space = object->getType()->getPointerAddressSpace();
      if (isa<AllocaInst>(object) || (space != NVPTXAS::ADDRESS_SPACE_GENERIC &&
                                      space != NVPTXAS::ADDRESS_SPACE_GLOBAL))
        return false;
      stores = true;
    }
  return stores;
}

/// Whether \p loop ends in one place, after a number of turns that is known
/// when it starts.
bool isCounted(Loop &loop, ScalarEvolution &evolution) {
  return loop.getExitingBlock() &&
         loop.getExitingBlock() == loop.getLoopLatch() &&
         !isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop));
}

/// Whether \p loop computes without memory, and moves several values on in each
/// turn, or in some, as a generator of random numbers does with its last ones.
/// In several turns at a time nothing is moved.
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

bool isCheaper(Loop &loop, unsigned turns, uint64_t most,
               LoopStandardAnalysisResults &analyses) {
  auto cost = costOf(loop, turns, analyses.AC, analyses.TTI);
  return cost && *cost < most;
}

void ask(Loop &loop, const char *wish, unsigned count) {
  addStringMetadataToLoop(&loop, wish, count);
  addStringMetadataToLoop(&loop, OurWish);
}

/// The most that all turns of \p loop may cost. Shared memory answers at once,
/// and ptxas moves little across the branches of a quotient: more turns gain
/// only where the number of each decides something.
uint64_t mostOfAllTurns(const Loop &loop, ScalarEvolution &evolution) {
  if (readsParameters(loop))
    return MostOfParameters;
  return divides(loop) && loadsFromShared(loop) && !loadsFromGlobal(loop) &&
                 !isDecidedByTurn(loop, evolution)
             ? MostOfAllQuotients
             : MostOfAllTurns;
}

/// Asks LLVM's pass that unrolls loops as a whole, which comes next.
struct MarkWholeLoops : PassInfoMixin<MarkWholeLoops> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &,
                        LoopStandardAnalysisResults &analyses, LPMUpdater &) {
    unsigned turns = analyses.SE.getSmallConstantTripCount(&loop);
    if (hasUnrollTransformation(&loop) != TM_Unspecified ||
        hasWaitingLoop(loop, analyses.SE))
      return PreservedAnalyses::all();
    if (turns > 1 &&
        isCheaper(loop, turns, mostOfAllTurns(loop, analyses.SE), analyses))
      ask(loop, Whole, 0);
    if (unsigned most = analyses.SE.getSmallConstantMaxTripCount(&loop);
        !turns && most > 1 && most <= MostUncertainTurns &&
        loop.isInnermost() && !hasConvergent(loop) &&
        isCheaper(loop, most, MostOfUncertainTurns, analyses))
      ask(loop, Enable, 0);
    return PreservedAnalyses::all();
  }
};

/// How many turns at a time of a loop that has \p turns of them, and \p loads
/// from global memory.
unsigned divisorOf(unsigned turns, Loop &loop, bool loads,
                   LoopStandardAnalysisResults &analyses) {
  unsigned atOnce =
      std::min(turns, loads ? MostLoadingTurnsAtOnce : MostTurnsAtOnce);
  uint64_t most = loads ? MostOfLoadingTurns : MostOfSomeTurns;
  while (atOnce > 1 &&
         (turns % atOnce || !isCheaper(loop, atOnce, most, analyses)))
    --atOnce;
  return atOnce;
}

/// Whether \p loop goes on to a number from memory, as over a row of a sparse
/// matrix.
bool followsRow(const Loop &loop) {
  const ICmpInst *end = loop.getLatchCmpInst();
  return end && any_of(end->operands(), [&](const Value *limit) {
           auto *load = dyn_cast<LoadInst>(limit);
           return load && !loop.contains(load);
         });
}

/// Whether a block of \p loop loads by what it has loaded.
bool gathers(const Loop &loop) {
  auto isLoaded = [](const Value *index) {
    while (auto *wide = dyn_cast<CastInst>(index))
      index = wide->getOperand(0);
    return isa<LoadInst>(index);
  };
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &instruction) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      auto *address =
          load ? dyn_cast<GetElementPtrInst>(load->getPointerOperand())
               : nullptr;
      return address && any_of(address->indices(), isLoaded);
    });
  });
}

/// How many turns at a time of a loop whose number of turns the compiler does
/// not know, and which \p loads from global memory; nothing if LLVM shall
/// decide.
unsigned turnsAtOnce(Loop &loop, bool loads,
                     LoopStandardAnalysisResults &analyses) {
  const bool isFree = !storesWhatItLoads(loop, analyses.AA);
  if ((loads || onlyStoresToGlobal(loop)) && isExpensiveToCount(loop, analyses))
    // The lanes of a warp have few turns of a row each.
    return !(followsRow(loop) && gathers(loop)) &&
                   isCheaper(loop, StrideTurnsAtOnce,
                             loads && isFree ? MostOfSomeTurns
                                             : MostOfStrideTurns,
                             analyses)
               ? StrideTurnsAtOnce
               : 0;
  if (movesValuesOn(loop) && isCounted(loop, analyses.SE) &&
      isCheaper(loop, CountedTurnsAtOnce, MostOfMovedValues, analyses))
    return CountedTurnsAtOnce;
  if ((!loads && !loadsFromArray(loop) && !loadsBetweenRoots(loop)) ||
      storesWhatItLoads(loop, analyses.AA, &analyses.DT) ||
      hasConvergent(loop) || !isCounted(loop, analyses.SE))
    return 0;
  // LLVM would repeat a short one eight times. Of one that begins again and
  // again, or has few turns, what is left over counts: one load after the
  // other.
  if (isCheaper(loop, CountedTurnsAtOnce, EnoughForLlvm + 1, analyses))
    return loads && (loop.getLoopDepth() > 1 || followsRow(loop))
               ? CountedTurnsAtOnce
               : 0;
  for (unsigned turns = CountedTurnsAtOnce; turns > 1; turns /= 2)
    if (isCheaper(loop, turns, isFree ? MostOfSomeTurns : MostOfRareStores,
                  analyses))
      return turns;
  return 0;
}

/// Asks LLVM's pass that repeats a few turns, which comes late, and forbids it
/// that where threads wait for each other.
struct MarkOtherLoops : PassInfoMixin<MarkOtherLoops> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &,
                        LoopStandardAnalysisResults &analyses, LPMUpdater &) {
    if (hasUnrollTransformation(&loop) != TM_Unspecified)
      return PreservedAnalyses::all();
    if (hasWaitingLoop(loop, analyses.SE))
      addStringMetadataToLoop(&loop, Never, true);
    if (!loop.isInnermost())
      return PreservedAnalyses::all();
    unsigned turns = analyses.SE.getSmallConstantTripCount(&loop);
    bool loads = loadsFromGlobal(loop) && !hasConvergent(loop);
    unsigned atOnce = turns ? divisorOf(turns, loop, loads, analyses)
                            : turnsAtOnce(loop, loads, analyses);
    if (atOnce > 1)
      ask(loop, Count, atOnce);
    return PreservedAnalyses::all();
  }
};

/// Notes which loops the program says something about.
struct MarkUsersLoops : PassInfoMixin<MarkUsersLoops> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    for (Loop *loop :
         manager.getResult<LoopAnalysis>(function).getLoopsInPreorder())
      if (hasUnrollTransformation(loop) != TM_Unspecified)
        addStringMetadataToLoop(loop, UsersWish);
    return PreservedAnalyses::all();
  }
};

/// Whether \p loop counts from zero to less than MostTurnsAtOnce. That there is
/// a turn at all may be known before it in other words than ScalarEvolution's,
/// which then holds any number of turns for possible.
bool hasFewTurns(Loop &loop, ScalarEvolution &evolution) {
  if (unsigned most = evolution.getSmallConstantMaxTripCount(&loop))
    return most < MostTurnsAtOnce;
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
  for (unsigned way = 0; way < index->getNumIncomingValues(); ++way)
    if (!loop.contains(index->getIncomingBlock(way)) &&
        !match(index->getIncomingValue(way), m_Zero()))
      return false;
  return computeKnownBits(limit, end->getDataLayout())
      .getMaxValue()
      .ult(MostTurnsAtOnce);
}

/// LLVM marks what it has unrolled as never to be unrolled, and its code
/// generator hands that on to ptxas, which then does not overlap the loads of a
/// turn with the arithmetic of the one before. Only the program may forbid it
/// that; and in what is left over there is nothing to gain.
struct LeaveLoopsToAssembler : PassInfoMixin<LeaveLoopsToAssembler> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    auto &evolution = manager.getResult<ScalarEvolutionAnalysis>(function);
    for (Loop *loop :
         manager.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
      if (!findOptionMDForLoop(loop, Never) ||
          findOptionMDForLoop(loop, UsersWish))
        continue;
      if (hasFewTurns(*loop, evolution) &&
          !evolution.getSmallConstantTripCount(loop))
        continue;
      loop->setLoopID(makePostTransformationMetadata(
          function.getContext(), loop->getLoopID(), {Never}, {}));
    }
    return PreservedAnalyses::all();
  }
};

/// LLVM prefers equality to inequality, which lets the branch at a loop's end
/// go on where the condition holds, and back where it does not. The code
/// generator cannot turn it round, and ptxas takes two branches for a loop
/// whose number of turns it does not know.
struct BranchBack : PassInfoMixin<BranchBack> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    bool changed = false;
    for (Loop *loop :
         manager.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
      BasicBlock *last = loop->getLoopLatch();
      auto *branch =
          last ? dyn_cast<BranchInst>(last->getTerminator()) : nullptr;
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
};

/// LLVM warns the user of what was asked for and could not be done.
struct ForgetWishes : PassInfoMixin<ForgetWishes> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    for (Loop *loop :
         manager.getResult<LoopAnalysis>(function).getLoopsInPreorder())
      if (findOptionMDForLoop(loop, OurWish))
        loop->setLoopID(makePostTransformationMetadata(
            function.getContext(), loop->getLoopID(),
            {Whole, Enable, Count, OurWish}, {}));
    return PreservedAnalyses::all();
  }
};

/// LLVM marks the loop that does what an unrolled one leaves over as never to
/// be unrolled.
struct UnrollWhatIsLeft : PassInfoMixin<UnrollWhatIsLeft> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    auto &loops = manager.getResult<LoopAnalysis>(function);
    if (loops.empty())
      return PreservedAnalyses::all();
    auto &evolution = manager.getResult<ScalarEvolutionAnalysis>(function);
    auto &dominators = manager.getResult<DominatorTreeAnalysis>(function);
    auto &assumptions = manager.getResult<AssumptionAnalysis>(function);
    auto &target = manager.getResult<TargetIRAnalysis>(function);
    auto &remarks =
        manager.getResult<OptimizationRemarkEmitterAnalysis>(function);
    bool changed = false;
    auto order = loops.getLoopsInPreorder();
    for (Loop *loop : reverse(order)) {
      if (!loop->isInnermost() || !findOptionMDForLoop(loop, Never) ||
          evolution.getSmallConstantTripCount(loop))
        continue;
      unsigned most = evolution.getSmallConstantMaxTripCount(loop);
      if (most < 2 || most > MostTurnsLeft || hasConvergent(*loop))
        continue;
      auto cost = costOf(*loop, most, assumptions, target);
      if (!cost || *cost > MostOfTurnsLeft)
        continue;
      changed |= simplifyLoop(loop, &dominators, &loops, &evolution,
                              &assumptions, nullptr, /*PreserveLCSSA=*/false);
      changed |= formLCSSA(*loop, dominators, &loops, &evolution);
      UnrollLoopOptions options = {};
      options.Count = most;
      options.Force = true;
      changed |=
          UnrollLoop(loop, options, &loops, &evolution, &dominators,
                     &assumptions, &target, &remarks,
                     /*PreserveLCSSA=*/true) != LoopUnrollResult::Unmodified;
    }
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

} // namespace

void cufort::unrollForGpu(PassBuilder &builder) {
  builder.registerPipelineStartEPCallback(
      [](ModulePassManager &passes, OptimizationLevel) {
        passes.addPass(createModuleToFunctionPassAdaptor(MarkUsersLoops()));
      });
  builder.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &passes, OptimizationLevel) {
        passes.addPass(MarkWholeLoops());
      });
  builder.registerScalarOptimizerLateEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel) {
        passes.addPass(ForgetWishes());
      });
  builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel) {
        passes.addPass(createFunctionToLoopPassAdaptor(MarkOtherLoops()));
      });
  builder.registerOptimizerLastEPCallback(
      [](ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase) {
        FunctionPassManager functions;
        functions.addPass(ForgetWishes());
        functions.addPass(UnrollWhatIsLeft());
        functions.addPass(InstCombinePass());
        functions.addPass(SimplifyCFGPass());
        functions.addPass(LeaveLoopsToAssembler());
        functions.addPass(BranchBack());
        passes.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
      });
}
