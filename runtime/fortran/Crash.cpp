//===- Crash.cpp - programs that cannot write what they print -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// flang_rt writes what units still hold before it ends a program for an error.
// Where the error is that this cannot be written (a full disk), it holds the
// lock that it then waits for, for ever. The driver asks for this file by its
// symbol, so that programs without device data have it, too.
//
//===----------------------------------------------------------------------===//

#include "runtime/fortran/EntryPoints.h"
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <unistd.h>

// What flang_rt exports (its C++ names; no header of it is installed); programs
// of other languages are linked without it.
namespace Fortran::runtime {
struct Terminator {
  using CrashHandler = void (*)(const char *file, int line, const char *message,
                                va_list &arguments);
  [[gnu::weak]] static void RegisterCrashHandler(CrashHandler handler);
};
} // namespace Fortran::runtime

/// Ends the program as flang_rt would have, a second later, if it has not.
static void endIfStuck(const char *, int, const char *, va_list &) {
  std::signal(SIGALRM, [](int) { std::abort(); });
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarms, nullptr);
  alarm(1);
}

void __cufort_end_if_stuck() {
  using Fortran::runtime::Terminator;
  if (&Terminator::RegisterCrashHandler)
    Terminator::RegisterCrashHandler(endIfStuck);
}

[[gnu::constructor]] static void start() { __cufort_end_if_stuck(); }
