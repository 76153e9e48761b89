//===- Pipeline.h - the passes in their order -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_PIPELINE_H
#define CUFORT_COMPILER_CPU_PIPELINE_H

#include "compiler/common/PassRunner.h"
#include "compiler/cpu/CpuOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// One step from device code to native code. What a pass has to tell the next
/// one it writes into the module as attributes (see Kernel.h), so that every
/// pass can be run alone on text.
struct CpuPass : PassName {
  using Run = llvm::Error (*)(llvm::Module &module, const CpuOptions &options);
  constexpr CpuPass(llvm::StringRef name, Run run, bool optional,
                    llvm::StringRef does)
      : PassName{name, optional, does}, run(run) {}

  Run run;
};

/// All passes, in the order in which they run.
llvm::ArrayRef<CpuPass> cpuPasses();

/// Runs one pass under the options that concern passes: timing, printing,
/// leaving out; verifies the module afterwards.
llvm::Error runCpuPass(const CpuPass &pass, llvm::Module &module,
                       const CpuOptions &options);

/// Runs all passes.
llvm::Error runCpuPipeline(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_PIPELINE_H
