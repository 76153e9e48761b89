//===- Stop.cpp - failures that no status can carry -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/process/Stop.h"
#include "runtime/check/report/Report.h"
#include "runtime/core/Device.h"
#include "runtime/core/process/Process.h"
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <gnu/libc-version.h>
#include <thread>
#include <unistd.h>

namespace cufort {

using namespace std::chrono_literals;

namespace {

/// Whether exit keeps all threads but the first waiting.
bool exitIsLocked() {
  int major = 0, minor = 0;
  return std::sscanf(gnu_get_libc_version(), "%d.%d", &major, &minor) != 2 ||
         major > 2 || minor >= 41;
}

[[noreturn]] void awaitEnd() {
  if (threadState().leavesStops)
    for (;;)
      pause();
  for (int waited = 0;; ++waited) {
    takeStopOver();
    std::this_thread::sleep_for(1ms);
    // The thread that ends the program now waits for this one, in exit.
    if (threadState().exits && waited == 1000 && exitIsLocked()) {
      std::fflush(nullptr);
      _exit(check::finishWith(process().stopStatus.load()));
    }
  }
}

} // namespace

void setProgramEnd(void (*end)(int status)) { process().programEnd = end; }

void waitIfStopping() {
  if (process().stopping.load(std::memory_order_relaxed) &&
      !threadState().stops)
    awaitEnd();
}

void beginStop(int status) {
  if (process().stopping.exchange(true)) {
    waitIfStopping();
    _exit(1);
  }
  process().stopStatus.store(status);
  threadState().stops = true;
}

void leaveStopsToHost() { threadState().leavesStops = true; }

bool leavesStopsToHost() { return threadState().leavesStops; }

void enterExit() {
  threadState().exits = true;
  process().inExit.store(true);
}

void handStopOver(const HandedStop &stop, void (*wake)()) {
  process().handedStop.store(&stop);
  wake();
  // Perhaps they have something else to do, for long.
  std::this_thread::sleep_for(2s);
  if (process().handedStop.exchange(nullptr))
    stop.end(stop.argument);
  for (;;)
    pause();
}

void takeStopOver() {
  if (!process().handedStop.load(std::memory_order_acquire) ||
      threadState().leavesStops ||
      (process().inExit.load() && !threadState().exits))
    return;
  if (const HandedStop *stop = process().handedStop.exchange(nullptr)) {
    threadState().stops = true;
    stop->end(stop->argument);
  }
}

bool programStops() { return process().stopping.load(); }

void stopProgram(const char *file, int line, const char *call, Error error,
                 const char *detail) {
  // What kernels have printed comes first; perhaps the failure is only that one
  // of them has ended the program.
  if (!programStops())
    (void)catchExhaustion([] {
      deliverAllOutput();
      return cudaSuccess;
    });
  // The first failure is the one that matters: another thread's waits for the
  // end, and one from an exit handler must not start over.
  beginStop(1);
  std::fflush(stdout);
  if (file)
    std::fprintf(stderr, "%s:%d: ", file, line);
  std::fprintf(stderr, "error: %s failed: %s: %s\n", call, errorName(error),
               errorText(error));
  if (detail && *detail)
    std::fprintf(stderr, "  %s\n", detail);
  // What a kernel did is said better by who has seen it.
  const bool isSaid = detail && *detail && error == cudaErrorLaunchFailure;
  if (const char *advice = errorAdvice(error); *advice && !isSaid)
    std::fprintf(stderr, "  what to do: %s\n", advice);
  std::fflush(stderr);
  if (programIsExiting()) {
    const int status = check::finishWith(1);
    std::fflush(nullptr);
    _exit(status);
  }
  if (process().programEnd)
    process().programEnd(1);
  std::exit(1);
}

} // namespace cufort
