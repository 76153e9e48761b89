//===- Pipeline.cpp - the passes in their order ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/Pipeline.h"
#include "compiler/common/IndeterminateValues.h"
#include "compiler/common/ModuleParts.h"
#include "compiler/cpu/Barriers.h"
#include "compiler/cpu/BlockRows.h"
#include "compiler/cpu/BlockShapes.h"
#include "compiler/cpu/BorderThreads.h"
#include "compiler/cpu/ContiguousArrays.h"
#include "compiler/cpu/Conversions.h"
#include "compiler/cpu/EarlyReturns.h"
#include "compiler/cpu/Fission.h"
#include "compiler/cpu/FlattenAddressSpaces.h"
#include "compiler/cpu/FullRows.h"
#include "compiler/cpu/InlineProcedures.h"
#include "compiler/cpu/KernelEntries.h"
#include "compiler/cpu/LinkLibrary.h"
#include "compiler/cpu/LoopRows.h"
#include "compiler/cpu/LowerIntrinsics.h"
#include "compiler/cpu/LowerMath.h"
#include "compiler/cpu/MaskedAccesses.h"
#include "compiler/cpu/MaskedStores.h"
#include "compiler/cpu/MemoryScopes.h"
#include "compiler/cpu/NeedlessBarriers.h"
#include "compiler/cpu/Optimise.h"
#include "compiler/cpu/Prefetch.h"
#include "compiler/cpu/PrivateArrays.h"
#include "compiler/cpu/PrivateLoops.h"
#include "compiler/cpu/Procedures.h"
#include "compiler/cpu/QuotientPieces.h"
#include "compiler/cpu/RacingScalars.h"
#include "compiler/cpu/SharedVariables.h"
#include "compiler/cpu/StrideLoops.h"
#include "compiler/cpu/Strips.h"
#include "compiler/cpu/ThreadEntries.h"
#include "compiler/cpu/Tidy.h"
#include "compiler/cpu/VectorDivisions.h"
#include "compiler/cpu/WaitLoops.h"
#include "compiler/cpu/Warps.h"
#include "compiler/cpu/WholeBlocks.h"
#include "compiler/cpu/WideIndices.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace llvm;

namespace cufort::cpu {

/// See IndeterminateValues.h.
static Error settleValues(Module &module, const CpuOptions &) {
  settleIndeterminateValues(module);
  return Error::success();
}

// From device IR to native functions. The comments in the headers say what each
// pass needs and leaves.
static constexpr CpuPass Passes[] = {
    // The device's language becomes the host's.
    {"cpu-library", linkLibrary, true},
    {"cpu-indeterminate", settleValues, true},
    {"cpu-flatten", flattenAddressSpaces, false},
    {"cpu-inline", inlineProcedures, false},
    {"cpu-procedures", separateProcedures, false},
    {"cpu-math", lowerMath, false},
    {"cpu-intrinsics", lowerIntrinsics, false},
    {"cpu-tidy", tidyKernels, true},
    {"cpu-racing-scalars", keepRacesInStep, false},
    {"cpu-contiguous", separateContiguous, true},
    {"cpu-private-loops", unrollPrivateLoops, true},
    // Kernels become functions that a worker calls.
    {"cpu-entry", makeBlockEntries, false},
    {"cpu-shared", placeSharedVariables, false},
    {"cpu-wait-loops", findWaitLoops, false},
    {"cpu-thread-entry", makeThreadEntries, true},
    {"cpu-shapes", specialiseBlockShapes, true},
    // The threads of a block become loops.
    {"cpu-needless-barriers", removeNeedlessBarriers, true},
    {"cpu-border-threads", separateBorderThreads, true},
    {"cpu-barriers", isolateBarriers, false},
    {"cpu-early-return", maskEarlyReturns, true},
    {"cpu-private", placePrivateArrays, false},
    {"cpu-whole-blocks", separateWholeBlocks, true},
    {"cpu-loop-rows", goRowByRow, true},
    {"cpu-stride-loops", splitStrideLoops, true},
    {"cpu-block-rows", joinBlockRows, true},
    {"cpu-fission", fissionAtBarriers, false},
    // Loops become vector code.
    {"cpu-prefetch", prefetchPieces, true},
    {"cpu-quotient-pieces", separateQuotients, true},
    {"cpu-full-rows", separateFullRows, true},
    {"cpu-warps", vectoriseWarps, false},
    {"cpu-strips", vectoriseStrips, true},
    {"cpu-scopes", separateMemories, true},
    {"cpu-wide-indices", widenIndices, true},
    {"cpu-conversions", expandConversions, true},
    {"cpu-vector-divisions", divideVectors, true},
    {"cpu-optimise", optimise, false},
    {"cpu-masked-accesses", loopOverMaskedLanes, true},
    {"cpu-masked-stores", storeByLanes, true},
};

/// From this pass on what becomes of a function depends on no other: parts of a
/// large program take the rest, which is most of the time, at the same time.
static constexpr StringRef FirstInParts = "cpu-strips";
/// About a third of a second's work for them.
static constexpr uint64_t LeastInstructions = 1000;

ArrayRef<CpuPass> cpuPasses() { return Passes; }

using Milliseconds = std::chrono::duration<double, std::milli>;

static bool isListed(StringRef list, StringRef name) {
  SmallVector<StringRef> names;
  list.split(names, ',', -1, /*KeepEmpty=*/false);
  return is_contained(names, name);
}

bool isDisabled(const CpuOptions &options, StringRef name) {
  return isListed(options.disablePass, name);
}

/// Runs \p pass unless it is left out, and returns how long it took.
static Expected<Milliseconds> runTimed(const CpuPass &pass, Module &module,
                                       const CpuOptions &options) {
  if (isDisabled(options, pass.name)) {
    if (pass.optional)
      return Milliseconds(0);
    return createStringError(inconvertibleErrorCode(),
                             Twine("the pass '") + pass.name +
                                 "' cannot be left out");
  }
  auto start = std::chrono::steady_clock::now();
  if (Error error = pass.run(module, options))
    return error;
  Milliseconds time = std::chrono::steady_clock::now() - start;
  if (isListed(options.printAfter, pass.name))
    errs() << "; after " << pass.name << '\n' << module;
  std::string broken;
  raw_string_ostream stream(broken);
  if (verifyModule(module, &stream))
    return createStringError(inconvertibleErrorCode(),
                             Twine("internal error: the pass '") + pass.name +
                                 "' left an invalid module: " + broken);
  return time;
}

static void showTime(const CpuPass &pass, Milliseconds time,
                     const CpuOptions &options) {
  if (options.verbose && !isDisabled(options, pass.name))
    errs() << format("%8.1f ms  ", time.count()) << pass.name << '\n';
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
  if (options.verbose && parts.size() > 1)
    errs() << "the other passes on " << parts.size()
           << " parts at the same time:\n";
  std::vector<std::vector<Milliseconds>> times(
      parts.size(), std::vector<Milliseconds>(passes.size()));
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
    Milliseconds total(0);
    for (const std::vector<Milliseconds> &part : times)
      total += part[n];
    showTime(pass, total, options);
  }
  return Error::success();
}

Error runCpuPipeline(Module &module, const CpuOptions &options) {
  for (StringRef list : {options.printAfter, options.disablePass}) {
    SmallVector<StringRef> names;
    list.split(names, ',', -1, /*KeepEmpty=*/false);
    for (StringRef name : names)
      if (name != RegionsStep && none_of(Passes, [&](const CpuPass &pass) {
            return pass.name == name;
          }))
        return createStringError(inconvertibleErrorCode(),
                                 Twine("there is no pass '") + name + "'");
  }
  // What is printed is the module in one piece.
  const auto *inParts = options.printAfter.empty()
                            ? find_if(Passes,
                                      [](const CpuPass &pass) {
                                        return pass.name == FirstInParts;
                                      })
                            : std::end(Passes);
  for (const CpuPass &pass : make_range(std::begin(Passes), inParts))
    if (Error error = runCpuPass(pass, module, options))
      return error;
  return runInParts(ArrayRef(inParts, std::end(Passes)), module, options);
}

} // namespace cufort::cpu
