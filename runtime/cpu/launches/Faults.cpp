//===- Faults.cpp - kernels that access what is not theirs ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/launches/Faults.h"
#include "runtime/check/Check.h"
#include "runtime/check/HostCode.h"
#include "runtime/core/process/FaultInjection.h"
#include "runtime/cpu/launches/Fibers.h"
#include "runtime/cpu/memory/HostGuard.h"
#include "runtime/cpu/memory/Memory.h"
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <ucontext.h>
#include <unistd.h>

namespace cufort::cpu {
namespace {

constexpr int Signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
/// Of a handler's stack: AVX-512 registers are saved there, and a report
/// written.
constexpr size_t AlternateBytes = 64 * 1024;

struct Guard {
  sigjmp_buf jump;
  Fault fault;
};

thread_local Guard *Current = nullptr;
struct sigaction Before[NSIG];

/// A stack that overflowed cannot hold the handler's frame.
struct AlternateStack {
  AlternateStack() {
    stack_t present{};
    if (sigaltstack(nullptr, &present) || !(present.ss_flags & SS_DISABLE))
      return; // somebody's else
    memory = allocateBytes(AlternateBytes);
    stack_t stack{};
    stack.ss_sp = memory;
    stack.ss_size = AlternateBytes;
    if (memory)
      sigaltstack(&stack, nullptr);
  }
  ~AlternateStack() {
    if (!memory)
      return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    std::free(memory);
  }
  void *memory = nullptr;
};

void handle(int number, siginfo_t *information, void *context) {
  if (Guard *guard = Current) {
    Current = nullptr;
    guard->fault = {number, information->si_addr, information->si_code,
                    currentPlace(reinterpret_cast<const void *>(
                        static_cast<const ucontext_t *>(context)
                            ->uc_mcontext.gregs[REG_RIP]))};
    // Whoever stands between the system and this handler may have blocked more
    // than we asked for.
    pthread_sigmask(SIG_SETMASK,
                    &static_cast<const ucontext_t *>(context)->uc_sigmask,
                    nullptr);
    FiberPool::leave();
    siglongjmp(guard->jump, 1);
  }
  if (number == SIGSEGV && guard::isOn() &&
      guard::holds(information->si_addr)) {
    if (check::checking(image::CheckMemory)) {
      const auto &registers =
          static_cast<const ucontext_t *>(context)->uc_mcontext.gregs;
      // Bit 1 of the page fault's error code.
      check::endForHostAccess(
          reinterpret_cast<const void *>(registers[REG_RIP]),
          information->si_addr, registers[REG_ERR] & 2);
    }
    constexpr char Text[] =
        "cufort: host code has used device memory (CUFORT_CPU_GUARD=1)\n";
    (void)!write(STDERR_FILENO, Text, sizeof(Text) - 1);
  }
  const struct sigaction &before = Before[number];
  if (before.sa_flags & SA_SIGINFO) {
    before.sa_sigaction(number, information, context);
  } else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
    check::noteFatalSignal();
    // The instruction is executed once more and ends the program as it would
    // have without us.
    std::signal(number, SIG_DFL);
    if (information->si_code <= 0) // sent by somebody, not by an instruction
      std::raise(number);
  } else {
    before.sa_handler(number);
  }
}

} // namespace

void installFaultHandlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action{};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (int number : Signals)
      sigaction(number, &action, &Before[number]);
  });
}

bool runGuarded(void (*call)(void *), void *argument, Fault *fault) {
  static thread_local AlternateStack alternate;
  Guard guard;
  Guard *const outer = Current;
  if (sigsetjmp(guard.jump, 0)) {
    Current = outer;
    *fault = guard.fault;
    return false;
  }
  (void)alternate.memory;
  Current = &guard;
  call(argument);
  Current = outer;
  return true;
}

void endGuarded(const Fault &fault) {
  Guard *const guard = Current;
  if (!guard)
    std::abort();
  Current = nullptr;
  guard->fault = fault;
  FiberPool::leave();
  siglongjmp(guard->jump, 1);
}

std::string faultText(const Fault &fault) {
  switch (fault.signal) {
  case Fault::NoMemory:
    return "the host has no memory for what the kernel needs on the CPU";
  case Fault::Barriers:
    return "threads of a block wait at different barriers";
  case SIGABRT:
    return "an assertion failed";
  case SIGFPE:
    switch (fault.code) {
    case FPE_FLTDIV:
      return "a real number was divided by zero (CUFORT_FPE=zero)";
    case FPE_FLTOVF:
      return "a real number overflowed (CUFORT_FPE=overflow)";
    case FPE_FLTINV:
      return "an invalid operation on real numbers (CUFORT_FPE=invalid)";
    default:
      return "an integer was divided by zero, or overflowed in a division";
    }
  case SIGILL:
    return "the kernel has come to __trap() or to the end of a function that "
           "has to return a value";
  default:
    char address[32];
    std::snprintf(address, sizeof(address), "0x%zx",
                  reinterpret_cast<size_t>(fault.address));
    const std::string place = Memory::describe(fault.address);
    return std::string("the address is ") + address +
           (place.empty() ? "" : ", " + place);
  }
}

Unguarded::Unguarded() : suspended(Current) { Current = nullptr; }

Unguarded::~Unguarded() { Current = static_cast<Guard *>(suspended); }

} // namespace cufort::cpu
