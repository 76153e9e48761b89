//===- Faults.h - kernels that access what is not theirs --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that touches unmapped memory, divides by zero or overflows its stack
// gets a signal. While a guard is set, the signal ends the guarded call instead
// of the program; the device then fails as a GPU does.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_LAUNCHES_FAULTS_H
#define CUFORT_RUNTIME_CPU_LAUNCHES_FAULTS_H

#include "runtime/cpu/launches/KernelPlace.h"
#include <new>
#include <string>

namespace cufort::cpu {

struct Fault {
  /// In place of a signal: the host's memory is exhausted.
  static constexpr int NoMemory = 0;
  /// Likewise: threads of a block wait at different barriers.
  static constexpr int Barriers = -1;

  int signal; ///< SIGABRT: an assertion has failed
  const void *address;
  int code = 0;        ///< the signal's si_code
  KernelPlace place{}; ///< where the signal came
};

/// What it was, for the user.
std::string faultText(const Fault &fault);

/// Installs the signal handlers, once. Faults outside of guards go to the
/// handlers that were there before.
void installFaultHandlers();

/// Calls \p call(\p argument); false, with the reason in \p fault, if a signal
/// ended it. Destructors of the frames in between do not run.
bool runGuarded(void (*call)(void *), void *argument, Fault *fault);

/// Ends the guarded call that the calling thread is in, as a signal would.
[[noreturn]] void endGuarded(const Fault &fault);

/// Calls \p call(). Where it finds no memory, the guarded call that the calling
/// thread is in ends; \p call's own frames are gone by then.
template <typename Call> void orEndKernel(Call call) {
  bool exhausted = false;
  try {
    call();
  } catch (const std::bad_alloc &) {
    exhausted = true;
  }
  if (exhausted)
    endGuarded({Fault::NoMemory, nullptr});
}

/// While it lives, faults of the calling thread are the program's own.
class Unguarded {
public:
  Unguarded();
  Unguarded(const Unguarded &) = delete;
  Unguarded &operator=(const Unguarded &) = delete;
  ~Unguarded();

private:
  void *suspended;
};

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_LAUNCHES_FAULTS_H
