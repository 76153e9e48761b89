//===- Phases.h - the steps of a run, shown and timed -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_PHASES_H
#define CUFORT_COMPILER_DRIVER_PHASES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace cufort::driver {

struct CommandLine;

/// Knows which phase is running and how long each has taken (--timing).
class Phases {
public:
  /// Ends the phase that runs now, if any, and begins \p name.
  void begin(llvm::StringRef name);
  void end();
  /// Says on a terminal what is done now, if this takes longer than people wait
  /// without a word; begin() does, too.
  void show(llvm::StringRef name) const;
  /// The table of --timing, on standard error: wall-clock milliseconds.
  void print() const;

private:
  using Clock = std::chrono::steady_clock;
  std::vector<std::pair<std::string, Clock::duration>> finished;
  std::string running;
  Clock::time_point started;
  Clock::time_point created = Clock::now();
};

/// Prints one step as a command line that a shell could read: -v with quotes
/// where they are needed, which Autoconf reads, -### with all, and behind "#$"
/// if it is nvcc's -dryrun.
void showStep(const CommandLine &line, llvm::StringRef program,
              llvm::ArrayRef<std::string> arguments);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_PHASES_H
