//===- Pipeline.h - the passes over FIR, in one table -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_PIPELINE_H
#define CUFORT_COMPILER_LOWER_PIPELINE_H

#include "compiler/common/PassRunner.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>

namespace mlir {
class Pass;
class PassManager;
} // namespace mlir

namespace cufort::lower {

/// Where a pass runs, in this order. The passes of one stage are a group
/// (PassGroups.h): the first that refuses something ends it.
enum class Stage {
  // What Flang's lowering leaves, which does not verify yet; the last one takes
  // the place of the others in a file without CUDA.
  PrivateVariables,
  Restrictions,
  DeviceData,
  HostAccess,
  PlainFortran,
  Verification,
  // The whole file.
  KernelLoops,
  HlfirToFir,
  Supported,
  Characters,
  // A copy of it, which becomes the device's half.
  DeviceSelection,
  DeviceChecks, // with --check
  DeviceCode,
  DeviceNames,
  DeviceDebug, // with -g, in the place of DeviceNames
  DeviceLlvm,
  // The file itself becomes the host's half.
  HostCode,
};

/// What --help-passes calls the stage.
const char *stageName(Stage stage);

/// One of our passes, or several of Flang's.
struct LowerPass : PassName {
  Stage stage;
  std::unique_ptr<mlir::Pass> (*create)(); ///< ours (Passes.h); else null
  void (*add)(mlir::PassManager &);        ///< Flang's; else null
};

/// All of them, in the order in which they run.
llvm::ArrayRef<LowerPass> lowerPasses();

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_PIPELINE_H
