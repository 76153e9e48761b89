//===- PassGroups.cpp - passes that go on after errors --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/PassGroups.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Path.h"

using namespace mlir;

static std::string nameOf(llvm::StringRef path, unsigned line) {
  return (llvm::sys::path::filename(path) + ":" + Twine(line)).str();
}

/// The file and line of \p diagnostic, empty where it has none.
static std::string lineOf(Diagnostic &diagnostic) {
  auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>();
  return place ? nameOf(place.getFilename().getValue(), place.getLine())
               : std::string();
}

bool cufort::lower::PassGroups::run(ModuleOp module,
                                    llvm::function_ref<void(PassManager &)> add,
                                    Verification verification) {
  PassManager passes(module->getName(), OpPassManager::Nesting::Implicit);
  passes.enableVerifier(verification == Verify);
  add(passes);
  (void)applyPassManagerCLOptions(passes);

  llvm::StringSet<> newLines;
  LogicalResult result = success();
  {
    ScopedDiagnosticHandler handler(
        module.getContext(), [&](Diagnostic &diagnostic) {
          const std::string line = lineOf(diagnostic);
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              !line.empty()) {
            if (lines.contains(line))
              return success(); // it has been said
            newLines.insert(line);
          }
          return failure(); // to the handler that prints
        });
    result = passes.run(module);
  }
  for (const auto &line : newLines)
    lines.insert(line.getKey());
  failed |= mlir::failed(result);
  return succeeded(result);
}

void cufort::lower::PassGroups::noteError(llvm::StringRef path, unsigned line) {
  lines.insert(nameOf(path, line));
  failed = true;
}
