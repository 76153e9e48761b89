//===- PassRunner.h - runs the passes of both engines -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_COMMON_PASSRUNNER_H
#define CUFORT_COMPILER_COMMON_PASSRUNNER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace cufort {

/// What the command line says of passes. Lists have names, separated by commas.
struct PassOptions {
  std::string disable;    ///< --disable-pass: leave these out
  std::string printAfter; ///< --print-after: print the code after these
  bool times = false;     ///< --time-passes: each pass with its time
  /// Also verify what passes over machine code leave, which takes long: in
  /// tests only.
  bool verifyMachineCode = false;

  bool isDisabled(llvm::StringRef name) const;
  bool isPrinted(llvm::StringRef name) const;
};

/// What a pass is called, whether the code is correct without it, if slower,
/// and what it does, in a line.
struct PassName {
  llvm::StringRef name;
  bool optional;
  llvm::StringRef does;
};

using PassTime = std::chrono::duration<double, std::milli>;

/// Calls \p run, which is what \p pass does to \p module or \p function, unless
/// the options leave it out; prints what it leaves if they say so, and verifies
/// it if \p run says that it has changed anything. Returns how long \p run
/// took. An error is that of \p run, or says that the pass cannot be left out
/// or has left invalid code.
llvm::Expected<PassTime>
runPass(const PassName &pass, const PassOptions &options, llvm::Module &module,
        llvm::function_ref<llvm::Expected<bool>()> run);
llvm::Expected<PassTime>
runPass(const PassName &pass, const PassOptions &options,
        llvm::Function &function,
        llvm::function_ref<llvm::Expected<bool>()> run);

/// Writes the line of a pass for --time-passes on standard error.
void showPassTime(llvm::StringRef name, PassTime time);

/// An error for the first name in the lists of \p options of which \p isKnown
/// says that no pass has it.
llvm::Error checkPassNames(const PassOptions &options,
                           llvm::function_ref<bool(llvm::StringRef)> isKnown);

} // namespace cufort

#endif // CUFORT_COMPILER_COMMON_PASSRUNNER_H
