//===- TeamOperation.cpp - work of a library in a stream ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/launches/TeamOperation.h"
#include "runtime/check/Check.h"
#include "runtime/cpu/streams/Futex.h"
#include "runtime/cpu/streams/Scheduler.h"
#include <algorithm>
#include <new>
#include <sched.h>

namespace cufort::cpu {

namespace {

/// How long one who follows looks for the next loop before it sleeps: longer
/// than others need for their last iterations, for who has to be woken is late
/// for the next loop.
constexpr auto FollowerSpin = std::chrono::microseconds(500);

/// Whether this thread calls the body of a loop.
thread_local bool InLoop = false;

void pause() { __builtin_ia32_pause(); }

} // namespace

bool TeamOperation::failed() const { return stream->scheduler.hasFailed(); }

void TeamOperation::run(uint64_t begin, uint64_t end,
                        Participant &participant) {
  for (uint64_t unit = begin; unit != end; ++unit)
    if (led.exchange(true, std::memory_order_acq_rel)) {
      follow(participant.number);
    } else {
      leader = participant.number;
      lead();
    }
}

void TeamOperation::signal() {
  epoch.fetch_add(1, std::memory_order_seq_cst);
  if (parked.load(std::memory_order_seq_cst))
    futexWake(epoch, INT_MAX);
}

void TeamOperation::lead() {
  Fault fault;
  const bool ended = runGuarded(
      [](void *self) {
        auto &operation = *static_cast<TeamOperation *>(self);
        orEndKernel([&] { operation.work->run(operation); });
      },
      this, &fault);
  check::libraryRan();
  finished.store(true, std::memory_order_seq_cst);
  signal();
  if (!ended)
    endGuarded(fault);
}

void TeamOperation::follow(unsigned number) {
  while (!finished.load(std::memory_order_acquire)) {
    const uint32_t seen = epoch.load(std::memory_order_seq_cst);
    // Counted before the question: the leader closes a loop and then waits for
    // those inside.
    inside.fetch_add(1, std::memory_order_seq_cst);
    Fault fault;
    bool ended = true;
    if (open.load(std::memory_order_seq_cst))
      ended = shareGuarded(number, &fault);
    inside.fetch_sub(1, std::memory_order_seq_cst);
    if (!ended)
      endGuarded(fault);
    if (stream->scheduler.spinsBeforeSleep()) {
      const auto deadline = Clock::now() + FollowerSpin;
      while (epoch.load(std::memory_order_seq_cst) == seen &&
             Clock::now() < deadline)
        for (int i = 0; i != 16; ++i)
          pause();
    }
    if (epoch.load(std::memory_order_seq_cst) == seen &&
        !finished.load(std::memory_order_acquire))
      park(epoch, seen, parked);
  }
}

void TeamOperation::share(unsigned number) {
  for (unsigned k = 0; k != size; ++k) {
    Share &share = shares[(number + k) % size];
    while (!failed() &&
           share.next.load(std::memory_order_relaxed) < share.end) {
      const uint64_t i = share.next.fetch_add(1, std::memory_order_relaxed);
      if (i < share.end)
        body(context, i);
    }
  }
}

bool TeamOperation::shareGuarded(unsigned number, Fault *fault) {
  struct Part {
    TeamOperation &operation;
    unsigned number;
  } part{*this, number};
  InLoop = true;
  const bool ended = runGuarded(
      [](void *argument) {
        const Part &part = *static_cast<const Part *>(argument);
        orEndKernel([&] { part.operation.share(part.number); });
      },
      &part, fault);
  InLoop = false; // after a fault, too
  return ended;
}

/// Nobody is in the loop, or comes into it, when it returns.
void TeamOperation::closeLoop() {
  open.store(false, std::memory_order_seq_cst);
  for (unsigned spins = 0; inside.load(std::memory_order_seq_cst); ++spins)
    if (spins < 1000)
      pause();
    else
      sched_yield();
}

void TeamOperation::forEach(uint64_t iterations,
                            void (*function)(void *, uint64_t),
                            void *argument) {
  if (!shares && units != 1)
    shares.reset(new (std::nothrow) Share[size]);
  if (!shares || iterations < 2 || InLoop) {
    for (uint64_t i = 0; i != iterations; ++i)
      function(argument, i);
    return;
  }
  body = function;
  context = argument;
  const auto firstOf = [&](uint64_t share) {
    return iterations / size * share +
           std::min<uint64_t>(share, iterations % size);
  };
  for (unsigned k = 0; k != size; ++k) {
    shares[k].next.store(firstOf(k), std::memory_order_relaxed);
    shares[k].end = firstOf(k + 1);
  }
  open.store(true, std::memory_order_seq_cst);
  signal();
  Fault fault;
  const bool ended = shareGuarded(leader, &fault);
  closeLoop();
  if (!ended)
    endGuarded(fault);
}

void TeamOperation::restart() {
  led.store(false, std::memory_order_relaxed);
  finished.store(false, std::memory_order_relaxed);
}

SteppedOperation::SteppedOperation(std::shared_ptr<const TeamWork> work,
                                   unsigned threads)
    : TeamOperation(std::move(work), threads) {
  WaitOperation::ForeignWaits.fetch_add(1, std::memory_order_seq_cst);
  if (this->work->waitsForProcesses())
    watch.emplace();
}

SteppedOperation::~SteppedOperation() {
  WaitOperation::ForeignWaits.fetch_sub(1, std::memory_order_relaxed);
}

bool SteppedOperation::phaseFinished() {
  if (work->finished())
    return true;
  rest.reset(new (std::nothrow) SteppedOperation(work, size));
  if (!rest) // Without memory the threads wait themselves.
    restart();
  return rest != nullptr;
}

} // namespace cufort::cpu
