//===- Signals.cpp - programs that somebody ends --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables cannot be written in a handler, which may have interrupted whoever
// holds a lock. It tells a thread that waits for that.
//
//===----------------------------------------------------------------------===//

#include "runtime/profile/Signals.h"
#include "runtime/core/process/Stop.h"
#include "runtime/profile/Profile.h"
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

namespace cufort::profile {
namespace {

constexpr int Signals[] = {SIGINT, SIGTERM, SIGHUP};
constexpr int MostSeconds = 5; ///< for what is written then

int Waiter[2];            ///< a pipe; what the waiting thread reads, and writes
pid_t Process;            ///< a child has no such thread
std::atomic<bool> IsTold; ///< who does not want to wait sends another signal

void atSignal(int number) {
  const int error = errno;
  const char told = static_cast<char>(number);
  if (getpid() != Process || IsTold.exchange(true) ||
      write(Waiter[1], &told, 1) != 1) {
    std::signal(number, SIG_DFL);
    std::raise(number); // when the handler returns
  }
  errno = error;
}

void endBy(int number) {
  std::signal(number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  kill(getpid(), number);
}

void wait(Recorder &recorder) {
  leaveStopsToHost();
  char told = 0;
  while (read(Waiter[0], &told, 1) != 1)
    if (errno != EINTR)
      return;
  // A device that does not answer, CUPTI's records among it, is not waited for.
  std::thread([told] {
    leaveStopsToHost();
    std::this_thread::sleep_for(std::chrono::seconds(MostSeconds));
    endBy(told);
  }).detach();
  recorder.interrupted();
  endBy(told);
}

} // namespace

void writeAtSignals(Recorder &recorder) {
  if (pipe2(Waiter, O_CLOEXEC) != 0)
    return;
  Process = getpid();
  std::thread([&recorder] { wait(recorder); }).detach();
  for (int number : Signals) {
    struct sigaction before{};
    if (sigaction(number, nullptr, &before) == 0 &&
        !(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_DFL)
      std::signal(number, atSignal);
  }
}

} // namespace cufort::profile
