//===- PassGroups.h - passes that go on after errors ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_PASSGROUPS_H
#define CUFORT_COMPILER_LOWER_PASSGROUPS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"

namespace mlir {
class PassManager;
}

namespace cufort::lower {

/// Runs the passes on one file's module in groups, so that what one of them
/// refuses does not hide what a later one would: all of a file's errors come at
/// once. A pass that refuses something leaves the module as it was there, and
/// a later group may stumble over the same; what it says about a line that has
/// had an error in an earlier group is left out.
class PassGroups {
public:
  enum Verification { Verify, DoNotVerify };

  /// Runs the passes that \p add adds. Returns whether all was well.
  bool run(mlir::ModuleOp module,
           llvm::function_ref<void(mlir::PassManager &)> add,
           Verification verification = Verify);

  /// Notes an error that something else has reported.
  void noteError(llvm::StringRef path, unsigned line);

  /// Whether some group has failed.
  bool anyFailed() const { return failed; }

private:
  llvm::StringSet<> lines; ///< with the file's name, not its folder
  bool failed = false;
};

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_PASSGROUPS_H
