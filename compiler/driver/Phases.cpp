//===- Phases.cpp - the steps of a run, shown and timed -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/Phases.h"
#include "compiler/driver/options/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace cufort::driver;

void Phases::begin(llvm::StringRef name) {
  end();
  running = name.str();
  started = Clock::now();
  show(name);
}

void Phases::show(llvm::StringRef name) const {
  // Whole lines, which mix with diagnostics as these do with each other.
  if (llvm::sys::Process::StandardErrIsDisplayed() &&
      Clock::now() - created > std::chrono::seconds(2))
    llvm::errs() << "cufort: " << name << '\n';
}

void Phases::end() {
  if (!running.empty())
    finished.emplace_back(running, Clock::now() - started);
  running.clear();
}

void Phases::print() const {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  Clock::duration total{};
  for (const auto &[name, time] : finished) {
    llvm::errs() << llvm::format("%10.1f ms  ", Milliseconds(time).count())
                 << name << '\n';
    total += time;
  }
  llvm::errs() << llvm::format("%10.1f ms  total\n",
                               Milliseconds(total).count());
}

void cufort::driver::showStep(const CommandLine &line, llvm::StringRef program,
                              llvm::ArrayRef<std::string> arguments) {
  const bool quote = line.dryRun;
  llvm::errs() << (quote && line.isNvcc ? "#$ " : " ");
  llvm::sys::printArg(llvm::errs(), program, /*Quote=*/true);
  for (const std::string &argument : arguments) {
    llvm::errs() << ' ';
    llvm::sys::printArg(llvm::errs(), argument, quote);
  }
  llvm::errs() << '\n';
}
