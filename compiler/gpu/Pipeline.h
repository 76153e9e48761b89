//===- Pipeline.h - the passes in their order -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_PIPELINE_H
#define CUFORT_COMPILER_GPU_PIPELINE_H

#include "compiler/common/PassRunner.h"
#include "compiler/gpu/CompileForGpu.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class PassBuilder;
class TargetPassConfig;
} // namespace llvm

namespace cufort::gpu {

/// Where on the way from device IR to PTX a pass runs, in this order. All but
/// the first and the last three are extension points of LLVM's pipeline
/// (PassBuilder); the last three are passes of its code generator, behind which
/// ours run.
enum class Place {
  Preparation,      ///< before LLVM's pipeline, on the module
  PipelineStart,    ///< registerPipelineStartEPCallback
  Peephole,         ///< registerPeepholeEPCallback: after each InstCombine
  LoopOptimiserEnd, ///< registerLateLoopOptimizationsEPCallback
  VectoriserStart,  ///< registerVectorizerStartEPCallback
  OptimiserLast,    ///< registerOptimizerLastEPCallback
  BeforeSelection,  ///< after CodeGenPrepare
  AfterSelection,   ///< after EarlyTailDuplicate
  MachineCse,       ///< after MachineCSE
};

/// Where that is, in words.
const char *placeName(Place place);

/// A row of the pipeline's table. What is optional is left out where nothing is
/// to be optimised.
struct GpuPass : PassName {
  constexpr GpuPass(llvm::StringRef name, Place place, GpuStep step,
                    bool optional, llvm::StringRef does)
      : PassName{name, optional, does}, place(place), step(step) {}

  Place place;
  GpuStep step;
};

/// All passes, in the order in which they run.
llvm::ArrayRef<GpuPass> gpuPasses();

/// Runs the passes of one compilation, wherever they run, under the options
/// that concern passes, and collects their times and the first error.
class GpuPipeline {
public:
  GpuPipeline(const GpuOptions &options, llvm::TargetMachine &machine)
      : options(options), machine(machine), times(gpuPasses().size()) {}

  /// Runs the passes before LLVM's pipeline on \p module.
  llvm::Error prepare(llvm::Module &module);
  /// Adds the passes to the extension points of \p builder. The pipeline must
  /// not outlive this object.
  void addTo(llvm::PassBuilder &builder);
  /// Adds those of the code generator to \p config.
  void addTo(llvm::TargetPassConfig &config);
  /// Runs the pass \p pass alone on \p module; not one of the code generator.
  llvm::Error runAlone(const GpuPass &pass, llvm::Module &module);

  /// The first error of a pass that ran within LLVM's pipeline; to be asked
  /// when it has run.
  llvm::Error takeError();
  /// For --time-passes: the times so far of the passes that ran.
  void showTimes() const;

private:
  friend struct PassStep;

  bool runs(const GpuPass &pass) const;

  const GpuOptions &options;
  llvm::TargetMachine &machine;
  std::vector<PassTime> times;
  std::string problem;
};

} // namespace cufort::gpu

#endif // CUFORT_COMPILER_GPU_PIPELINE_H
