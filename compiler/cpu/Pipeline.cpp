//===- Pipeline.cpp - the passes in their order ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/Pipeline.h"
#include "compiler/check/Counts.h"
#include "compiler/check/Instrument.h"
#include "compiler/check/MemberArrays.h"
#include "compiler/check/Proofs.h"
#include "compiler/common/IndeterminateValues.h"
#include "compiler/common/ModuleParts.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/BlockShapes.h"
#include "compiler/cpu/block/DebugVariables.h"
#include "compiler/cpu/block/KernelEntries.h"
#include "compiler/cpu/block/SharedVariables.h"
#include "compiler/cpu/block/ThreadEntries.h"
#include "compiler/cpu/block/WaitLoops.h"
#include "compiler/cpu/fission/Barriers.h"
#include "compiler/cpu/fission/CheckedBlocks.h"
#include "compiler/cpu/fission/EarlyReturns.h"
#include "compiler/cpu/fission/Fission.h"
#include "compiler/cpu/fission/NeedlessBarriers.h"
#include "compiler/cpu/fission/PrivateArrays.h"
#include "compiler/cpu/import/FlattenAddressSpaces.h"
#include "compiler/cpu/import/HostFunctions.h"
#include "compiler/cpu/import/InlineProcedures.h"
#include "compiler/cpu/import/LinkLibrary.h"
#include "compiler/cpu/import/LowerIntrinsics.h"
#include "compiler/cpu/import/LowerMath.h"
#include "compiler/cpu/import/Procedures.h"
#include "compiler/cpu/import/RacingScalars.h"
#include "compiler/cpu/import/Tidy.h"
#include "compiler/cpu/optimise/InstructionSets.h"
#include "compiler/cpu/optimise/MemoryScopes.h"
#include "compiler/cpu/optimise/Prefetch.h"
#include "compiler/cpu/optimise/PrivateLoops.h"
#include "compiler/cpu/optimise/Simplify.h"
#include "compiler/cpu/optimise/Vectorise.h"
#include "compiler/cpu/optimise/WideIndices.h"
#include "compiler/cpu/partition/BlockRows.h"
#include "compiler/cpu/partition/BorderThreads.h"
#include "compiler/cpu/partition/ContiguousArrays.h"
#include "compiler/cpu/partition/FullRows.h"
#include "compiler/cpu/partition/LoopRows.h"
#include "compiler/cpu/partition/QuotientPieces.h"
#include "compiler/cpu/partition/StrideLoops.h"
#include "compiler/cpu/partition/WholeBlocks.h"
#include "compiler/cpu/simd/Conversions.h"
#include "compiler/cpu/simd/MaskedAccesses.h"
#include "compiler/cpu/simd/MaskedStores.h"
#include "compiler/cpu/simd/Strips.h"
#include "compiler/cpu/simd/VectorDivisions.h"
#include "compiler/cpu/simd/WarpOperations.h"
#include "compiler/cpu/simd/Warps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <chrono>

using namespace llvm;

namespace cufort::cpu {

/// See IndeterminateValues.h.
static Error settleValues(Module &module, const CpuOptions &) {
  settleIndeterminateValues(module);
  return Error::success();
}

static check::Wait waitOf(Instruction &instruction) {
  // Where threads vote they wait already.
  CallInst *barrier = asMark(&instruction, BarrierMark);
  if (!barrier)
    barrier = asMark(&instruction, VoteMark);
  if (barrier)
    return barrier->hasFnAttr(AnyStatementAttribute)
               ? check::Wait::BarrierAnywhere
               : check::Wait::Barrier;
  auto *call = dyn_cast<CallInst>(&instruction);
  Function *callee = call ? call->getCalledFunction() : nullptr;
  // Procedures wait by calls already.
  if (callee && (callee->getName() == PartBarrierFunction ||
                 callee->getName() == image::BlockBarrierFunction))
    return check::Wait::Barrier;
  if (callee && callee->getName() == image::WarpOperationFunction) {
    const auto *operation = dyn_cast<ConstantInt>(call->getArgOperand(0));
    return operation && operation->getZExtValue() ==
                            uint64_t(image::CpuWarpOperation::VolatileAccess)
               ? check::Wait::No
               : check::Wait::Warp;
  }
  return isWarpOperation(instruction) ? check::Wait::Warp : check::Wait::No;
}

/// The same, and Other unless it is for whole blocks and warps.
static check::Wait wholeWaitOf(Instruction &instruction) {
  auto isNumber = [](Value *value, uint64_t least, uint64_t most) {
    auto *number = dyn_cast<ConstantInt>(value);
    return number && number->getZExtValue() >= least &&
           number->getZExtValue() <= most;
  };
  if (CallInst *barrier = asMark(&instruction, BarrierMark))
    return isNumber(barrier->getArgOperand(0), 0, uint64_t(BarrierKind::Or))
               ? check::Wait::Barrier
               : check::Wait::Other;
  if (asMark(&instruction, VoteMark))
    return check::Wait::No;
  switch (waitOf(instruction)) {
  case check::Wait::No:
    return asMark(&instruction, ThreadExitMark) ? check::Wait::Other
                                                : check::Wait::No;
  case check::Wait::Warp: {
    auto *call = cast<CallInst>(&instruction);
    return call->arg_size() && isNumber(call->getArgOperand(0), ~0u, ~0u)
               ? check::Wait::Warp
               : check::Wait::Other;
  }
  default:
    return check::Wait::Other;
  }
}

/// Hands LoopsAttribute on to \p checked, which is to be instrumented, where
/// blocks may be loops. What threads do at barriers by what they read at one
/// place is the same for all unless they race, of which something must be said.
static void chooseLoops(Function &kernel, Function &checked,
                        const CpuOptions &options) {
  const Attribute asks = kernel.getFnAttribute(check::LoopsAttribute);
  kernel.removeFnAttr(check::LoopsAttribute);
  if (!asks.isValid() || kernel.hasFnAttribute(FibersAttribute) ||
      (options.check.sync && !options.check.race))
    return;
  checked.addFnAttr(asks);
  if (asks.getValueAsString().empty())
    return;
  ValueToValueMapTy map;
  Function *unchecked = CloneFunction(&kernel, map);
  unchecked->setName(kernel.getName() + ".unchecked");
  unchecked->removeFnAttr(check::LoopsAttribute);
  unchecked->addFnAttr(check::UncheckedAttribute);
}

/// See check/Instrument.h and check/Proofs.h. The checkers follow each thread
/// on its own; kernels of which a description says all keep a second copy, for
/// launches in which nothing can be wrong.
static Error checkAccesses(Module &module, const CpuOptions &options) {
  if (!options.check.any())
    return Error::success();
  for (Function *function : deviceFunctions(module))
    check::markMemberArrays(*function);
  for (Function *kernel : kernels(module)) {
    kernel->addFnAttr(check::CheckedKernelAttribute);
    check::numberAccesses(*kernel);
    ValueToValueMapTy map;
    Function *checked = CloneFunction(kernel, map);
    checked->setName(kernel->getName() + ".checked");
    const bool isProvable = check::describeAccesses(*kernel, wholeWaitOf) &&
                            !kernel->hasFnAttribute(FibersAttribute);
    if (!isProvable)
      check::useInPart(*kernel);
    chooseLoops(*kernel, isProvable ? *checked : *kernel, options);
    if (!isProvable)
      checked->eraseFromParent();
  }
  SmallVector<Function *> checked;
  for (Function *function : deviceFunctions(module)) {
    if (function->hasFnAttribute(check::ProofAttribute) ||
        function->hasFnAttribute(check::UncheckedAttribute)) {
      check::removeChecks(*function);
      continue;
    }
    checked.push_back(function);
    if (function->hasFnAttribute(KernelAttribute) &&
        !function->hasFnAttribute(FibersAttribute))
      function->addFnAttr(FibersAttribute, "--check");
  }
  check::instrument(module, checked, options.check, options.deviceFolder,
                    waitOf);
  return Error::success();
}

/// See check/Counts.h.
static Error countOperations(Module &module, const CpuOptions &options) {
  if (options.countOperations)
    check::countOperations(module, deviceFunctions(module));
  return Error::success();
}

// From device IR to native functions. The comments in the headers say what each
// pass needs and leaves.
// clang-format off
static constexpr CpuPass Passes[] = {
    // The device's language becomes the host's.
    {"cpu-library", linkLibrary, true, "link the device library and the math functions"},
    {"cpu-indeterminate", settleValues, true, "keep values that only some threads have set"},
    {"cpu-flatten", flattenAddressSpaces, false, "make the address spaces one"},
    {"cpu-host-functions", useHostFunctions, false, "call the runtime and libm for what drivers and libraries do on a GPU"},
    {"cpu-inline", inlineProcedures, false, "inline device procedures"},
    {"cpu-procedures", separateProcedures, false, "make host functions of procedures that are not inlined"},
    {"cpu-math", lowerMath, false, "lower math calls to the host's"},
    {"cpu-intrinsics", lowerIntrinsics, false, "lower the device's intrinsics and inline PTX"},
    {"cpu-debug", runForDebugger, false, "with -g: run threads one after the other"},
    {"cpu-check", checkAccesses, false, "with --check: call the checkers"},
    {"cpu-tidy", tidyKernels, true, "simplify kernels before they are analysed"},
    {"cpu-count", countOperations, false, "with --count-operations: count them"},
    {"cpu-racing-scalars", keepRacesInStep, false, "keep racing accesses of scalars in step"},
    {"cpu-contiguous", separateContiguous, true, "version kernels for contiguous arrays"},
    {"cpu-private-loops", unrollPrivateLoops, true, "unroll loops over private arrays"},
    // Kernels become functions that a worker calls.
    {"cpu-entry", makeBlockEntries, false, "make functions that run a range of blocks"},
    {"cpu-shared", placeSharedVariables, false, "place shared variables in a block's memory"},
    {"cpu-wait-loops", findWaitLoops, false, "find loops that wait for other threads"},
    {"cpu-checked-blocks", checkInLoops, true, "with --check: loops over threads where they do"},
    {"cpu-thread-entry", makeThreadEntries, true, "make functions that run one thread, for fibers"},
    {"cpu-debug-variables", keepVariables, false, "with -g: keep variables where debuggers find them"},
    {"cpu-shapes", specialiseBlockShapes, true, "version kernels for common block shapes"},
    // The threads of a block become loops.
    {"cpu-needless-barriers", removeNeedlessBarriers, true, "remove barriers that order nothing"},
    {"cpu-border-threads", separateBorderThreads, true, "peel the threads at a block's border"},
    {"cpu-barriers", isolateBarriers, false, "split basic blocks at barriers"},
    {"cpu-early-return", maskEarlyReturns, true, "mask threads that have returned"},
    {"cpu-private", placePrivateArrays, false, "place private arrays that live across barriers"},
    {"cpu-whole-blocks", separateWholeBlocks, true, "version for blocks in which all threads work"},
    {"cpu-loop-rows", goRowByRow, true, "interchange thread loops and loops over rows"},
    {"cpu-stride-loops", splitStrideLoops, true, "split grid-stride loops"},
    {"cpu-block-rows", joinBlockRows, true, "fuse the thread loops of blocks side by side"},
    {"cpu-fission", fissionAtBarriers, false, "make loops over threads, split at barriers"},
    // Loops become vector code.
    {"cpu-prefetch", prefetchPieces, true, "prefetch for the next piece of work"},
    {"cpu-quotient-pieces", separateQuotients, true, "split loops where quotients of the thread's index change"},
    {"cpu-full-rows", separateFullRows, true, "version for full vectors"},
    {"cpu-warps", vectoriseWarps, false, "vectorise code with warp operations"},
    {"cpu-strips", vectoriseStrips, true, "vectorise loops over threads"},
    {"cpu-scopes", separateMemories, true, "alias scopes for shared, private and global memory"},
    {"cpu-wide-indices", widenIndices, true, "widen indices of 32 bits"},
    {"cpu-conversions", expandConversions, true, "expand conversions that have no vector instruction"},
    {"cpu-vector-divisions", divideVectors, true, "divide integers in vectors"},
    // LLVM's optimiser, in two halves.
    {"cpu-simplify", simplify, false, "simplify, once for all instruction sets"},
    {"cpu-instruction-sets", copyForInstructionSets, false, "copy entries for each instruction set"},
    {"cpu-vectorise", vectorise, false, "vectorise and optimise for each instruction set"},
    {"cpu-masked-accesses", loopOverMaskedLanes, true, "loop over the lanes of masked accesses"},
    {"cpu-masked-stores", storeByLanes, true, "store by lanes where masked stores are slow"},
};
// clang-format on

/// From this pass on what becomes of a function depends on no other: parts of a
/// large program take the rest, which is most of the time, at the same time.
static constexpr StringRef FirstInParts = "cpu-strips";
/// About a third of a second's work for them.
static constexpr uint64_t LeastInstructions = 1000;

ArrayRef<CpuPass> cpuPasses() { return Passes; }

static Expected<PassTime> runTimed(const CpuPass &pass, Module &module,
                                   const CpuOptions &options) {
  return runPass(pass, options.passes, module, [&]() -> Expected<bool> {
    if (Error error = pass.run(module, options))
      return std::move(error);
    return true;
  });
}

static void showTime(const CpuPass &pass, PassTime time,
                     const CpuOptions &options) {
  if (options.passes.times && !options.passes.isDisabled(pass.name))
    showPassTime(pass.name, time);
}

Error runCpuPass(const CpuPass &pass, Module &module,
                 const CpuOptions &options) {
  auto time = runTimed(pass, module, options);
  if (!time)
    return time.takeError();
  showTime(pass, *time, options);
  return Error::success();
}

/// Runs \p passes on parts of \p module; their times are those of all parts.
static Error runInParts(ArrayRef<CpuPass> passes, Module &module,
                        const CpuOptions &options) {
  const std::vector<ModulePart> parts =
      divide(definedFunctions(module), LeastInstructions);
  if (options.passes.times && parts.size() > 1)
    errs() << "the other passes on " << parts.size()
           << " parts at the same time:\n";
  std::vector<std::vector<PassTime>> times(
      parts.size(), std::vector<PassTime>(passes.size()));
  std::vector<std::string> problems(parts.size());
  rewriteParts(module, parts, [&](Module &part, unsigned number) {
    for (auto [time, pass] : zip(times[number], passes)) {
      auto taken = runTimed(pass, part, options);
      if (!taken) {
        problems[number] = toString(taken.takeError());
        return;
      }
      time = *taken;
    }
  });
  for (const std::string &problem : problems)
    if (!problem.empty())
      return createStringError(inconvertibleErrorCode(), problem);
  for (auto [n, pass] : enumerate(passes)) {
    PassTime total(0);
    for (const std::vector<PassTime> &part : times)
      total += part[n];
    showTime(pass, total, options);
  }
  return Error::success();
}

/// For a debugger code stays as it was written: no pass runs that code is
/// correct without, but for these.
static CpuOptions chosenPasses(const CpuOptions &options) {
  static constexpr StringRef needed[] = {"cpu-library", "cpu-indeterminate",
                                         "cpu-thread-entry"};
  CpuOptions chosen = options;
  if (options.debug)
    for (const CpuPass &pass : Passes)
      if (pass.optional && !is_contained(needed, pass.name))
        chosen.passes.disable += "," + pass.name.str();
  return chosen;
}

Error runCpuPipeline(Module &module, const CpuOptions &given) {
  const CpuOptions options = chosenPasses(given);
  // What is printed is the module in one piece, and so is what debuggers are
  // told.
  const auto *inParts = options.passes.printAfter.empty() && !options.debug
                            ? find_if(Passes,
                                      [](const CpuPass &pass) {
                                        return pass.name == FirstInParts;
                                      })
                            : std::end(Passes);
  for (const CpuPass &pass : make_range(std::begin(Passes), inParts))
    if (Error error = runCpuPass(pass, module, options))
      return error;
  return inParts == std::end(Passes)
             ? Error::success()
             : runInParts(ArrayRef(inParts, std::end(Passes)), module, options);
}

} // namespace cufort::cpu
