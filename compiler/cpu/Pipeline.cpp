//===- Pipeline.cpp - the passes in their order ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/Pipeline.h"
#include "compiler/cpu/Barriers.h"
#include "compiler/cpu/BlockRows.h"
#include "compiler/cpu/BlockShapes.h"
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
#include "compiler/cpu/MemoryScopes.h"
#include "compiler/cpu/NeedlessBarriers.h"
#include "compiler/cpu/Optimise.h"
#include "compiler/cpu/Prefetch.h"
#include "compiler/cpu/PrivateArrays.h"
#include "compiler/cpu/PrivateLoops.h"
#include "compiler/cpu/Procedures.h"
#include "compiler/cpu/SharedVariables.h"
#include "compiler/cpu/StrideLoops.h"
#include "compiler/cpu/Strips.h"
#include "compiler/cpu/ThreadEntries.h"
#include "compiler/cpu/Tidy.h"
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

// From device IR to native functions. The comments in the headers say what each
// pass needs and leaves.
static constexpr CpuPass Passes[] = {
    // The device's language becomes the host's.
    {"cpu-library", linkLibrary, true},
    {"cpu-flatten", flattenAddressSpaces, false},
    {"cpu-inline", inlineProcedures, false},
    {"cpu-procedures", separateProcedures, false},
    {"cpu-math", lowerMath, false},
    {"cpu-intrinsics", lowerIntrinsics, false},
    {"cpu-tidy", tidyKernels, true},
    {"cpu-contiguous", separateContiguous, true},
    {"cpu-private-loops", unrollPrivateLoops, true},
    // Kernels become functions that a worker calls.
    {"cpu-entry", makeBlockEntries, false},
    {"cpu-shared", placeSharedVariables, false},
    {"cpu-thread-entry", makeThreadEntries, true},
    {"cpu-shapes", specialiseBlockShapes, true},
    // The threads of a block become loops.
    {"cpu-needless-barriers", removeNeedlessBarriers, true},
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
    {"cpu-full-rows", separateFullRows, true},
    {"cpu-warps", vectoriseWarps, false},
    {"cpu-strips", vectoriseStrips, true},
    {"cpu-scopes", separateMemories, true},
    {"cpu-wide-indices", widenIndices, true},
    {"cpu-conversions", expandConversions, true},
    {"cpu-optimise", optimise, false},
    {"cpu-masked-accesses", loopOverMaskedLanes, true},
};

ArrayRef<CpuPass> cpuPasses() { return Passes; }

static bool isListed(StringRef list, StringRef name) {
  SmallVector<StringRef> names;
  list.split(names, ',', -1, /*KeepEmpty=*/false);
  return is_contained(names, name);
}

bool isDisabled(const CpuOptions &options, StringRef name) {
  return isListed(options.disablePass, name);
}

Error runCpuPass(const CpuPass &pass, Module &module,
                 const CpuOptions &options) {
  if (isDisabled(options, pass.name)) {
    if (pass.optional)
      return Error::success();
    return createStringError(inconvertibleErrorCode(),
                             Twine("the pass '") + pass.name +
                                 "' cannot be left out");
  }
  auto start = std::chrono::steady_clock::now();
  if (Error error = pass.run(module, options))
    return error;
  std::chrono::duration<double, std::milli> time =
      std::chrono::steady_clock::now() - start;
  if (options.verbose)
    errs() << format("%8.1f ms  ", time.count()) << pass.name << '\n';
  if (isListed(options.printAfter, pass.name))
    errs() << "; after " << pass.name << '\n' << module;
  std::string broken;
  raw_string_ostream stream(broken);
  if (verifyModule(module, &stream))
    return createStringError(inconvertibleErrorCode(),
                             Twine("internal error: the pass '") + pass.name +
                                 "' left an invalid module: " + broken);
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
  for (const CpuPass &pass : Passes)
    if (Error error = runCpuPass(pass, module, options))
      return error;
  return Error::success();
}

} // namespace cufort::cpu
