//===- Run.h - cufort run ---------------------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_RUN_H
#define CUFORT_COMPILER_DRIVER_RUN_H

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace cufort::driver {

/// How a program ended.
struct ProgramEnd {
  int status = 0; ///< its exit status
  int signal = 0; ///< the signal that killed it, or 0
};

/// Runs \p program and waits for it. Interrupts from the keyboard go to the
/// program alone, termination requests are passed on to it, so that the caller
/// lives to clean up.
ProgramEnd runProgram(const std::string &program,
                      llvm::ArrayRef<std::string> arguments);

/// Ends this process as \p end says: same status, same signal.
[[noreturn]] void endLike(const ProgramEnd &end);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_RUN_H
