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
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

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

namespace cufort::lower {

static bool runPasses(ModuleOp module, bool verify,
                      llvm::function_ref<void(PassManager &)> add) {
  PassManager passes(module->getName(), OpPassManager::Nesting::Implicit);
  passes.enableVerifier(verify);
  add(passes);
  (void)applyPassManagerCLOptions(passes);
  return succeeded(passes.run(module));
}

static void print(ModuleOp module, llvm::StringRef after) {
  llvm::errs() << "// after " << after << '\n';
  // What has not been verified yet is printed all the same.
  module.print(llvm::errs(), OpPrintingFlags().assumeVerified());
  llvm::errs() << '\n';
}

/// Runs one pass, as \p options say.
static bool runOne(ModuleOp module, const LowerPass &pass,
                   const PassOptions &options) {
  const auto start = std::chrono::steady_clock::now();
  const bool good = runPasses(module, pass.stage >= Stage::Verification,
                              [&](PassManager &passes) {
                                if (pass.create)
                                  passes.addPass(pass.create());
                                else
                                  pass.add(passes);
                              });
  if (options.times)
    showPassTime(pass.name, std::chrono::steady_clock::now() - start);
  if (options.isPrinted(pass.name))
    print(module, pass.name);
  return good;
}

bool PassGroups::runGroup(ModuleOp module, llvm::function_ref<bool()> run) {
  llvm::StringSet<> newLines;
  bool good;
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
    good = run();
  }
  for (const auto &line : newLines)
    lines.insert(line.getKey());
  failed |= !good;
  return good;
}

bool PassGroups::run(ModuleOp module, Stage stage) {
  return runGroup(module, [&] {
    return llvm::all_of(lowerPasses(), [&](const LowerPass &pass) {
      return pass.stage != stage || runOne(module, pass, options);
    });
  });
}

bool PassGroups::run(ModuleOp module,
                     llvm::function_ref<void(PassManager &)> add) {
  return runGroup(module,
                  [&] { return runPasses(module, /*verify=*/false, add); });
}

void PassGroups::noteError(llvm::StringRef path, unsigned line) {
  lines.insert(nameOf(path, line));
  failed = true;
}

} // namespace cufort::lower
