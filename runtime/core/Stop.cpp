//===- Stop.cpp - failures that no status can carry -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Stop.h"
#include "runtime/core/Device.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace cufort {

static void (*ProgramEnd)(int) = nullptr;
static std::atomic<bool> Stopping{false};
static thread_local bool ThisThreadStops = false;

void setProgramEnd(void (*end)(int)) { ProgramEnd = end; }

void waitIfStopping() {
  if (Stopping.load(std::memory_order_relaxed) && !ThisThreadStops)
    for (;;)
      pause();
}

void beginStop() {
  if (Stopping.exchange(true)) {
    waitIfStopping();
    _exit(1);
  }
  ThisThreadStops = true;
}

bool programStops() { return Stopping.load(); }

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
  beginStop();
  std::fflush(stdout);
  if (file)
    std::fprintf(stderr, "%s:%d: ", file, line);
  std::fprintf(stderr, "error: %s failed: %s: %s\n", call, errorName(error),
               errorText(error));
  if (detail && *detail)
    std::fprintf(stderr, "  %s\n", detail);
  if (const char *advice = errorAdvice(error); *advice)
    std::fprintf(stderr, "  what to do: %s\n", advice);
  std::fflush(stderr);
  if (programIsExiting()) {
    std::fflush(nullptr);
    _exit(1);
  }
  if (ProgramEnd)
    ProgramEnd(1);
  std::exit(1);
}

} // namespace cufort
