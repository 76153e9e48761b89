//===- PassGroups.h - passes that go on after errors ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_PASSGROUPS_H
#define CUFORT_COMPILER_LOWER_PASSGROUPS_H

#include "compiler/lower/Pipeline.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"

namespace cufort::lower {

/// Runs the passes on one file's module in groups, so that what one of them
/// refuses does not hide what a later one would: all of a file's errors come at
/// once. A pass that refuses something leaves the module as it was there, and
/// a later group may stumble over the same; what it says about a line that has
/// had an error in an earlier group is left out.
class PassGroups {
public:
  explicit PassGroups(const PassOptions &options = {}) : options(options) {}

  /// Runs the passes of \p stage. Returns whether all was well. What they leave
  /// is verified from Stage::Verification on.
  bool run(mlir::ModuleOp module, Stage stage);
  /// The same of passes that come before all stages, and of which options of
  /// the file decide: OpenMP's.
  bool run(mlir::ModuleOp module,
           llvm::function_ref<void(mlir::PassManager &)> add);

  /// Notes an error that something else has reported.
  void noteError(llvm::StringRef path, unsigned line);

  /// Whether some group has failed.
  bool anyFailed() const { return failed; }

private:
  bool runGroup(mlir::ModuleOp module, llvm::function_ref<bool()> run);

  const PassOptions options;
  llvm::StringSet<> lines; ///< with the file's name, not its folder
  bool failed = false;
};

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_PASSGROUPS_H
