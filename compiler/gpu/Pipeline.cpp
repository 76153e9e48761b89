//===- Pipeline.cpp - the passes in their order ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/Pipeline.h"
#include "compiler/common/IndeterminateValues.h"
#include "compiler/common/RegisteredAnalyses.h"
#include "compiler/gpu/CodeGenerationSteps.h"
#include "compiler/gpu/addressing/ConditionalAddresses.h"
#include "compiler/gpu/addressing/LoadOrder.h"
#include "compiler/gpu/addressing/PairedLoads.h"
#include "compiler/gpu/addressing/RowAddresses.h"
#include "compiler/gpu/addressing/ThreadIndices.h"
#include "compiler/gpu/addressing/TileAddresses.h"
#include "compiler/gpu/controlflow/BranchImpliedValues.h"
#include "compiler/gpu/controlflow/DivisionSinking.h"
#include "compiler/gpu/controlflow/StoreSinking.h"
#include "compiler/gpu/controlflow/SwitchLowering.h"
#include "compiler/gpu/loops/BarrierUnrolling.h"
#include "compiler/gpu/loops/ExitTests.h"
#include "compiler/gpu/loops/LoadPrefetching.h"
#include "compiler/gpu/loops/NegatedStarts.h"
#include "compiler/gpu/loops/PopulationCounts.h"
#include "compiler/gpu/loops/ShiftedLimits.h"
#include "compiler/gpu/loops/StrengthReduction.h"
#include "compiler/gpu/loops/UniformUnswitching.h"
#include "compiler/gpu/loops/Unrolling.h"
#include "compiler/gpu/lowering/ActiveMasks.h"
#include "compiler/gpu/lowering/AddressSpaces.h"
#include "compiler/gpu/lowering/AtomicOrderings.h"
#include "compiler/gpu/lowering/AutomaticArrays.h"
#include "compiler/gpu/lowering/ConstantTables.h"
#include "compiler/gpu/lowering/FunctionOptions.h"
#include "compiler/gpu/lowering/LineInfo.h"
#include "compiler/gpu/lowering/MatrixAddressSpaces.h"
#include "compiler/gpu/lowering/MemoryCopies.h"
#include "compiler/gpu/lowering/PrivateArrays.h"
#include "compiler/gpu/lowering/PureFunctions.h"
#include "compiler/gpu/lowering/ReadOnlyParameters.h"
#include "compiler/gpu/lowering/RegisterBounds.h"
#include "compiler/gpu/lowering/StructureArguments.h"
#include "compiler/gpu/lowering/VariableOrder.h"
#include "compiler/gpu/machine/CompareRematerialization.h"
#include "compiler/gpu/machine/SignedFields.h"
#include "compiler/gpu/math/DeviceMath.h"
#include "compiler/gpu/math/LowerMath.h"
#include "compiler/gpu/math/MathCalls.h"
#include "compiler/gpu/peephole/AbsoluteDifferences.h"
#include "compiler/gpu/peephole/ByteConversions.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;
using namespace cufort;
using namespace cufort::gpu;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

template <void (*...Changes)(Module &)>
static Error change(Module &module, const GpuOptions &, TargetMachine &) {
  (Changes(module), ...);
  return Error::success();
}

static Error lowerMath(Module &module, const GpuOptions &options,
                       TargetMachine &) {
  lowerMathIntrinsics(module);
  return linkDeviceMath(module, options);
}

/// Everything is for a debugger, which gets code that is not optimised.
static Error reduceDebugInfo(Module &module, const GpuOptions &options,
                             TargetMachine &) {
  if (options.lineInfo)
    keepLineDirectives(module);
  else
    StripDebugInfo(module);
  return Error::success();
}

static Error shareCalls(Module &module, const GpuOptions &,
                        TargetMachine &machine) {
  shareMathCalls(module, machine);
  return Error::success();
}

/// LLVM's own passes, where its pipeline has none.
template <typename... Passes>
static PreservedAnalyses llvmPasses(Function &function,
                                    FunctionAnalysisManager &manager) {
  FunctionPassManager passes;
  (passes.addPass(Passes()), ...);
  return passes.run(function, manager);
}

namespace {
template <LoopStep Step> struct OnLoop : PassInfoMixin<OnLoop<Step>> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &manager,
                        LoopStandardAnalysisResults &analyses,
                        LPMUpdater &updater) {
    return Step(loop, manager, analyses, updater);
  }
  static bool isRequired() { return true; }
};
} // namespace

/// A step over loops among those over a function.
template <LoopStep Step>
static PreservedAnalyses onLoops(Function &function,
                                 FunctionAnalysisManager &manager) {
  return createFunctionToLoopPassAdaptor(OnLoop<Step>()).run(function, manager);
}

/// Steps that are one idea, each on what the one before has left.
template <PreservedAnalyses (*...Steps)(Function &, FunctionAnalysisManager &)>
static PreservedAnalyses inOrder(Function &function,
                                 FunctionAnalysisManager &manager) {
  auto preserved = PreservedAnalyses::all();
  auto run = [&](auto *step) {
    const PreservedAnalyses after = step(function, manager);
    manager.invalidate(function, after);
    preserved.intersect(after);
  };
  (run(Steps), ...);
  return preserved;
}

namespace {
struct OnFunction : PassInfoMixin<OnFunction> {
  explicit OnFunction(FunctionStep step) : step(step) {}
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    return step(function, manager);
  }
  static bool isRequired() { return true; }
  FunctionStep step;
};
} // namespace

/// The same for steps over the module, among which are some over functions.
template <auto... Steps>
static PreservedAnalyses inOrderOnModule(Module &module,
                                         ModuleAnalysisManager &manager,
                                         const GpuOptions &options) {
  auto preserved = PreservedAnalyses::all();
  auto run = [&](auto *step) {
    PreservedAnalyses after;
    if constexpr (std::is_same_v<decltype(step), ModuleStep>)
      after = step(module, manager, options);
    else
      after = createModuleToFunctionPassAdaptor(OnFunction(step))
                  .run(module, manager);
    manager.invalidate(module, after);
    preserved.intersect(after);
  };
  (run(Steps), ...);
  return preserved;
}

/// The same in the code generator.
template <FunctionPass *(*...Create)()>
static void create(function_ref<void(FunctionPass *)> add) {
  (add(Create()), ...);
}

// Sorted by the place where they run. The headers say what each needs and
// leaves. "LLVM" above a row: which of LLVM's passes were tried in its place on
// its kernels of bench/gpu/passes, and why it is not one of these.
// clang-format off
static const GpuPass Passes[] = {
    {"gpu-options", Place::Preparation, applyOptions, false, "options as attributes of functions and flags of operations"},
    {"gpu-math", Place::Preparation, lowerMath, false, "lower math intrinsics to instructions and device functions, and link these"},
    {"gpu-lowering", Place::Preparation, change<definePureFunctions, nameActiveLanes, settleIndeterminateValues>, false, "define pure virtual functions, give warp operations without a mask that of the active lanes, keep values that only some lanes have set"},
    {"gpu-debug-info", Place::Preparation, reduceDebugInfo, true, "reduce debug information to line directives, or to nothing"},
    {"gpu-math-calls", Place::Preparation, shareCalls, true, "eliminate common calls of math functions, hoist them out of loops, fold constants"},

    {"gpu-annotation", Place::PipelineStart, inOrder<alignPrivateArrays, markUsersLoops>, true, "align private arrays for vector accesses; mark the loops that the program wants unrolled or not"},

    {"gpu-automatic-arrays", Place::Peephole, keepArraysPrivate, true, "private memory instead of the heap for arrays of a small constant size"},

    // LLVM: LoopIdiomRecognize, which asks the target whether counting is fast; NVPTX does not say so.
    {"gpu-population-counts", Place::LoopOptimiserEnd, recognisePopulationCounts, true, "recognise loops that count bits"},
    // LLVM: LoopFullUnroll does the work; by its own costs it leaves these loops.
    {"gpu-full-unrolling", Place::LoopOptimiserEnd, requestFullUnrolling, true, "ask LLVM to unroll loops in full"},

    // LLVM: MemCpyOpt leaves the same code; what is left over NVPTX does byte by byte.
    {"gpu-memory-copies", Place::VectoriserStart, expandMemoryCopies, true, "expand copies and fills of known length"},
    // LLVM: LoopDataPrefetch does nothing without distances from the target, and loads no values ahead.
    {"gpu-load-prefetching", Place::VectoriserStart, inOrder<llvmPasses<LoopSimplifyPass>, prefetchLoads>, true, "load for the next iteration before a loop's barriers"},
    {"gpu-read-only-parameters", Place::VectoriserStart, inferReadOnlyParameters, true, "infer which parameters point to memory that is only read while the kernel runs"},
    // LLVM: SimpleLoopUnswitch does the work, which by itself leaves every loop of a target with divergence.
    {"gpu-uniform-unswitching", Place::VectoriserStart, inOrder<llvmPasses<LoopSimplifyPass>, unswitchUniformLoops>, true, "unswitch loops on conditions that all threads share"},
    // LLVM: LoopUnroll does the work; by its own costs it leaves these loops.
    {"gpu-partial-unrolling", Place::VectoriserStart, inOrder<restoreShiftedLimits, onLoops<unrollBarrierLoops>, dropUnrollRequests, onLoops<requestPartialUnrolling>>, true, "compare with powers of two, not by shifts, so that loops have a trip count; unroll loops that have barriers; ask LLVM to unroll others in part, by trip count, instead of what its full unrolling has left undone"},

    {"gpu-structure-arguments", Place::OptimiserLast, lowerStructureArguments, false, "pass structures to procedures as values"},
    // LLVM: InferAddressSpaces, DSE and LoadStoreVectorizer are among the steps; alone they leave its kernels as they are.
    {"gpu-memory-accesses", Place::OptimiserLast, inOrderOnModule<formConstantTables, inferMemory, inferMatrixAddressSpaces, vectoriseAccesses>, true, "make one table of arrays that each thread fills with constants; infer the address space of accesses, those of matrices too, eliminate dead stores; merge accesses of neighbours into vector accesses"},
    // LLVM: MergedLoadStoreMotion and SimplifyCFG leave the stores. GVNSink makes the same code of all kernels but one, but it sinks barriers and other convergent calls as well.
    {"gpu-store-sinking", Place::OptimiserLast, sinkStores, true, "sink stores to one address behind the branches that make them"},
    // LLVM: IndVarSimplify and LoopUnroll instead, and 0.46 of the speed is left where ptxas would unroll.
    {"gpu-loop-cleanup", Place::OptimiserLast, inOrder<dropUnrollRequests, llvmPasses<InstCombinePass, SimplifyCFGPass>, allowUnrollingByPtxas, branchBackOnTrue>, true, "simplify what unrolling and sunk stores leave; let ptxas unroll: drop LLVM's marks, branch back on true"},
    // LLVM: LoopStrengthReduce is 2 to 5 % slower; StraightLineStrengthReduce and SeparateConstOffsetFromGEP change nothing.
    {"gpu-strength-reduction", Place::OptimiserLast, reduceStrength, true, "induction variables for addresses of strides known at run time"},
    // LLVM: Sink does nothing. SelectOptimize is as fast on the kernel, and goes by the costs of processors that predict branches.
    {"gpu-division-sinking", Place::OptimiserLast, sinkDivisions, true, "sink divisions that a select may discard under its condition"},
    // LLVM: JumpThreading, DFAJumpThreading, CorrelatedValuePropagation with ConstraintElimination and SelectOptimize change nothing; LowerSwitch is 2 % slower.
    {"gpu-branches", Place::OptimiserLast, inOrder<lowerSwitches, replaceImpliedValues>, true, "lower small switches to predicated blocks, selects and searches; values that a branch implies instead of its condition"},
    // LLVM: InstCombine, AggressiveInstCombine and DivRemPairs change nothing.
    {"gpu-peephole", Place::OptimiserLast, inOrder<formAbsoluteDifferences, convertBytesByPermutation, readBlockSizeFirst>, true, "the rules of peephole/ for single instructions"},
    // LLVM: StraightLineStrengthReduce makes the same code of rows, but takes neighbours' addresses apart: 7 % more time for a product of matrices. With SeparateConstOffsetFromGEP and GVN it is 0 to 5 % slower; NaryReassociate is as fast on rows, but takes 3 to 11 % more instructions in HeCBench's nw and lud; GVNHoist and TypePromotion change nothing.
    {"gpu-addressing", Place::OptimiserLast, inOrder<chainRowAddresses, shareTileAddresses>, true, "addresses of rows and tiles from those before them"},
    // LLVM: GVNHoist and MergedLoadStoreMotion change nothing.
    {"gpu-load-order", Place::OptimiserLast, inOrder<hoistPairedLoads, hoistLoadsBeforeDivisions>, true, "hoist loads next to an unconditional one, and above divisions"},
    {"gpu-register-bounds", Place::OptimiserLast, boundRegisters, true, "bound the registers of a kernel's threads"},
    // LLVM: IndVarSimplify leaves the other form.
    {"gpu-exit-tests", Place::OptimiserLast, testNextValue, true, "test the next value of an induction variable at a loop's exit"},
    {"gpu-ptx-forms", Place::OptimiserLast, inOrderOnModule<orderVariables, lowerAtomicOrderings>, false, "place variables after those whose addresses they hold; orderings and scopes of atomics as fences and scoped operations"},

    {"gpu-late-addresses", Place::BeforeSelection, create<createConditionalAddressesPass>, true, "compute one base address before the conditions that several accesses are under"},
    {"gpu-negated-starts", Place::BeforeSelection, create<createNegatedStartsPass>, true, "hide the negated start of loops whose trip count ptxas miscounts: for right results, not for speed"},

    {"gpu-signed-fields", Place::AfterSelection, create<createSignedFieldsPass>, true, "split signed bit fields of 64 bits into shifts"},

    {"gpu-rematerialisation", Place::MachineCse, create<createComparesPass>, true, "rematerialise comparisons behind loops"},
};
// clang-format on

ArrayRef<GpuPass> gpu::gpuPasses() { return Passes; }

const char *gpu::placeName(Place place) {
  switch (place) {
  case Place::Preparation:
    return "before LLVM's pipeline";
  case Place::PipelineStart:
    return "when it starts";
  case Place::Peephole:
    return "behind each InstCombine";
  case Place::LoopOptimiserEnd:
    return "end of the loop optimiser";
  case Place::VectoriserStart:
    return "before the vectoriser";
  case Place::OptimiserLast:
    return "behind LLVM's optimiser";
  case Place::BeforeSelection:
    return "before instruction selection";
  case Place::AfterSelection:
    return "behind instruction selection";
  case Place::MachineCse:
    return "behind MachineCSE";
  }
  llvm_unreachable("a place without a name");
}

PreservedAnalyses
cufort::changeInstructions(Function &function,
                           function_ref<bool(Instruction &)> change) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    changed |= change(instruction);
  return afterInstructions(changed);
}

//===----------------------------------------------------------------------===//
// Running it
//===----------------------------------------------------------------------===//

namespace cufort::gpu {
/// A pass as LLVM's pass managers take it.
struct PassStep {
  GpuPipeline &pipeline;
  const GpuPass &pass;

  template <typename Unit>
  PreservedAnalyses runOn(Unit &unit, function_ref<PreservedAnalyses()> step) {
    auto preserved = PreservedAnalyses::all();
    auto time =
        runPass(pass, pipeline.options.passes, unit, [&]() -> Expected<bool> {
          preserved = step();
          return !preserved.areAllPreserved();
        });
    if (time)
      pipeline.times[&pass - std::begin(Passes)] += *time;
    else if (pipeline.problem.empty())
      pipeline.problem = toString(time.takeError());
    else
      consumeError(time.takeError());
    return preserved;
  }

  static bool isRequired() { return true; }
};
} // namespace cufort::gpu

namespace {
struct RunOnModule : PassInfoMixin<RunOnModule>, PassStep {
  RunOnModule(GpuPipeline &pipeline, const GpuPass &pass,
              const GpuOptions &options)
      : PassStep{pipeline, pass}, options(options) {}
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager) {
    return runOn(module, [&] {
      return std::get<ModuleStep>(pass.step)(module, manager, options);
    });
  }
  using PassStep::isRequired;
  const GpuOptions &options;
};

struct RunOnFunction : PassInfoMixin<RunOnFunction>, PassStep {
  RunOnFunction(GpuPipeline &pipeline, const GpuPass &pass)
      : PassStep{pipeline, pass} {}
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    return runOn(function, [&] {
      return std::get<FunctionStep>(pass.step)(function, manager);
    });
  }
  using PassStep::isRequired;
};

struct RunOnLoop : PassInfoMixin<RunOnLoop>, PassStep {
  RunOnLoop(GpuPipeline &pipeline, const GpuPass &pass)
      : PassStep{pipeline, pass} {}
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &manager,
                        LoopStandardAnalysisResults &analyses,
                        LPMUpdater &updater) {
    return runOn(*loop.getHeader()->getParent(), [&] {
      return std::get<LoopStep>(pass.step)(loop, manager, analyses, updater);
    });
  }
  using PassStep::isRequired;
};
} // namespace

bool GpuPipeline::runs(const GpuPass &pass) const {
  return options.optimise || !pass.optional;
}

Error GpuPipeline::prepare(Module &module) {
  for (const GpuPass &pass : Passes) {
    const auto *step = std::get_if<PreparationStep>(&pass.step);
    if (!step || !runs(pass))
      continue;
    auto time = runPass(pass, options.passes, module, [&]() -> Expected<bool> {
      if (Error error = (*step)(module, options, machine))
        return std::move(error);
      return true;
    });
    if (!time)
      return time.takeError();
    times[&pass - std::begin(Passes)] += *time;
  }
  return Error::success();
}

static FunctionPassManager asFunctionPass(GpuPipeline &pipeline,
                                          const GpuPass &pass) {
  FunctionPassManager passes;
  if (std::holds_alternative<LoopStep>(pass.step))
    passes.addPass(createFunctionToLoopPassAdaptor(RunOnLoop(pipeline, pass)));
  else
    passes.addPass(RunOnFunction(pipeline, pass));
  return passes;
}

static void addToModule(ModulePassManager &passes, GpuPipeline &pipeline,
                        const GpuPass &pass, const GpuOptions &options) {
  if (std::holds_alternative<ModuleStep>(pass.step))
    passes.addPass(RunOnModule(pipeline, pass, options));
  else
    passes.addPass(
        createModuleToFunctionPassAdaptor(asFunctionPass(pipeline, pass)));
}

void GpuPipeline::addTo(PassBuilder &builder) {
  // LLVM keeps copies of these for as long as the builder lives.
  for (const GpuPass &pass : Passes) {
    if (!runs(pass))
      continue;
    auto onModule = [this, &pass](ModulePassManager &passes) {
      addToModule(passes, *this, pass, options);
    };
    auto onFunction = [this, &pass](FunctionPassManager &passes,
                                    OptimizationLevel) {
      passes.addPass(asFunctionPass(*this, pass));
    };
    switch (pass.place) {
    case Place::PipelineStart:
      builder.registerPipelineStartEPCallback(
          [=](ModulePassManager &passes, OptimizationLevel) {
            onModule(passes);
          });
      break;
    case Place::Peephole:
      builder.registerPeepholeEPCallback(onFunction);
      break;
    case Place::LoopOptimiserEnd:
      builder.registerLateLoopOptimizationsEPCallback(
          [this, &pass](LoopPassManager &passes, OptimizationLevel) {
            passes.addPass(RunOnLoop(*this, pass));
          });
      break;
    case Place::VectoriserStart:
      builder.registerVectorizerStartEPCallback(onFunction);
      break;
    case Place::OptimiserLast:
      builder.registerOptimizerLastEPCallback(
          [=](ModulePassManager &passes, OptimizationLevel,
              ThinOrFullLTOPhase) { onModule(passes); });
      break;
    case Place::Preparation:
    case Place::BeforeSelection:
    case Place::AfterSelection:
    case Place::MachineCse:
      break;
    }
  }
}

void GpuPipeline::addTo(TargetPassConfig &config) {
  for (const GpuPass &pass : Passes)
    if (runs(pass) && !options.passes.isDisabled(pass.name))
      addCodeGenerationStep(pass, options.passes,
                            times[&pass - std::begin(Passes)], problem, config);
}

Error GpuPipeline::runAlone(const GpuPass &pass, Module &module) {
  if (const auto *step = std::get_if<PreparationStep>(&pass.step))
    return (*step)(module, options, machine);
  if (std::holds_alternative<CodeGenerationStep>(pass.step))
    return createStringError(inconvertibleErrorCode(),
                             Twine("the pass '") + pass.name +
                                 "' runs while code is generated: cufort-ptx "
                                 "has --disable-pass and --print-after");
  RegisteredAnalyses analyses;
  PassBuilder builder(&machine);
  analyses.registerAnalyses(builder);
  ModulePassManager passes;
  addToModule(passes, *this, pass, options);
  passes.run(module, analyses.modules);
  return takeError();
}

Error GpuPipeline::takeError() {
  if (problem.empty())
    return Error::success();
  return createStringError(inconvertibleErrorCode(),
                           std::exchange(problem, {}));
}

void GpuPipeline::showTimes() const {
  for (const GpuPass &pass : Passes)
    if (PassTime time = times[&pass - std::begin(Passes)]; time.count() > 0)
      showPassTime(pass.name, time);
}
