//===- SchedulerWork.cpp - operations that run, and what they let start ---===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/process/Stop.h"
#include "runtime/cpu/launches/Fibers.h"
#include "runtime/cpu/memory/HostGuard.h"
#include "runtime/cpu/streams/Futex.h"
#include "runtime/cpu/streams/Scheduler.h"
#include <algorithm>
#include <optional>
#include <utility>

namespace cufort::cpu {

//===----------------------------------------------------------------------===//
// An operation
//===----------------------------------------------------------------------===//

thread_local bool Scheduler::OnWorker = false;

struct Scheduler::Work {
  Scheduler *scheduler;
  Operation *operation;
  unsigned number;
  Participant *participant;
  uint64_t begin = 0, end = 0; ///< the units in hand
  std::optional<guard::DeviceAccess> access = {};
  std::optional<check::Doing> doing = {};
};

void Scheduler::runClaims(void *pointer) {
  Work &w = *static_cast<Work *>(pointer);
  Scheduler &s = *w.scheduler;
  const auto claim = [&] {
    return !s.stopping.load(std::memory_order_relaxed) &&
           w.operation->claims.claim(w.number, w.begin, w.end);
  };
  for (bool any = claim(); any;) {
    if (!w.operation->callsProgram() && !w.access)
      w.access.emplace();
    if (w.operation->work)
      w.doing.emplace(w.operation->work);
    orEndKernel([&] {
      if (!s.failed.load(std::memory_order_relaxed))
        w.operation->run(w.begin, w.end, *w.participant);
    });
    w.doing.reset();
    if (w.operation->profiled) [[unlikely]]
      profile::addCounts(*w.operation->profiled);
    const uint64_t units =
        w.end - w.begin + std::exchange(w.participant->furtherUnits, 0);
    w.begin = w.end = 0;
    // Who waits for the last units goes on at once: device memory is closed
    // before, and open from the first to the last of this worker's.
    const bool further = guard::isOn() && claim();
    if (!further)
      w.access.reset();
    s.finish(w.operation, units);
    takeStopOver();
    // An operation of several phases may have begun the next one.
    any = further || claim();
  }
}

void Scheduler::work(Operation *operation, unsigned number,
                     Participant &participant) {
  Work work{this, operation, number, &participant};
  participant.number = number;
  profile::Work *const profiled = operation->profiled.get();
  uint64_t began = 0;
  if (profiled) [[unlikely]] {
    profile::Counted = {};
    began = profile::now();
    uint64_t none = 0; // who comes first
    std::atomic_ref(profiled->begin).compare_exchange_strong(none, began);
  }
  Fault fault;
  while (!runGuarded(runClaims, &work, &fault)) {
    // Fibers that a fault interrupted cannot be used again.
    participant.blocks.clear();
    work.doing.reset();
    work.access.reset();
    if (!failed.exchange(true, std::memory_order_acq_rel))
      observer.failed(*operation, fault);
    finish(operation,
           work.end - work.begin + std::exchange(participant.furtherUnits, 0));
  }
  if (profiled) [[unlikely]]
    if (profile::Recorder *recorder = profile::recorder())
      recorder->tookPart(*profiled, number, began, profile::now());
  operation->drop();
}

void Scheduler::finish(Operation *operation, uint64_t units) {
  if (operation->done.fetch_add(units, std::memory_order_acq_rel) + units ==
      operation->units)
    retire(operation);
}

/// Whether all that is active takes all cores, so that one thread goes on with
/// it and the others, and who waits, need not be disturbed.
bool Scheduler::isAlone() const {
  for (const Operation *each = active; each; each = each->after)
    if (!each->takesAllCores())
      return false;
  return active && !functions;
}

void Scheduler::retire(Operation *operation) {
  if (!failed.load(std::memory_order_relaxed) && !operation->phaseFinished()) {
    operation->done.store(0, std::memory_order_relaxed);
    operation->claims.restart();
    wakeWorkers(operation->units);
    wakeWaiters();
    return;
  }
  if (profile::Work *profiled = operation->profiled.get()) [[unlikely]]
    if (profile::Recorder *recorder = profile::recorder()) {
      profiled->end = profile::now();
      recorder->ended(*profiled);
    }
  Started started;
  bool wasAlone, nextIsAlone;
  {
    std::lock_guard guard(lock);
    deactivate(operation);
    wasAlone = alone.load(std::memory_order_relaxed) == operation;
    if (wasAlone)
      alone.store(nullptr, std::memory_order_relaxed);
    Stream &stream = *operation->stream;
    // The stream's own next operation first: mostly nobody else waits.
    if (complete(operation) && mayStart(stream) && stream.head->units)
      started = activate(stream.head);
    started.add(advance());
    nextIsAlone = wasAlone && isAlone();
  }
  if (nextIsAlone && OnWorker) {
    // This thread performs it. Waking fifteen others between two products of
    // small matrices takes longer than the products.
    wakeServedWaiters();
  } else {
    wake(started);
    // What stood back meanwhile.
    if (wasAlone && activeCount.load(std::memory_order_seq_cst))
      wakeWorkers(nextIsAlone ? 1 : limit);
    wakeWaiters();
  }
  tellOthers();
}

//===----------------------------------------------------------------------===//
// What its end lets start, here and on other devices
//===----------------------------------------------------------------------===//

std::vector<Scheduler *> &Scheduler::all() {
  static auto *list = new std::vector<Scheduler *>;
  return *list;
}

void Scheduler::tellOthers() {
  if (WaitOperation::ForeignWaits.load(std::memory_order_seq_cst))
    startReadyOperations();
}

bool Scheduler::startReadyOperations() {
  bool any = false;
  // What ends on one device may be what another one waits for.
  for (bool changed = true; changed;) {
    changed = false;
    for (Scheduler *scheduler : all())
      changed |= scheduler->startReady();
    any |= changed;
  }
  return any;
}

/// Starts what waited for something that is not in its own streams; whether
/// something has ended so.
bool Scheduler::startReady() {
  Started started;
  uint64_t before, after;
  {
    std::lock_guard guard(lock);
    before = pending.load(std::memory_order_relaxed);
    started = advance();
    after = pending.load(std::memory_order_relaxed);
  }
  wake(started);
  if (before != after)
    wakeWaiters();
  return before != after;
}

void Scheduler::wakeWorkers(uint64_t units) {
  workEpoch.fetch_add(1, std::memory_order_seq_cst);
  if (uint32_t parked = parkedWorkers.load(std::memory_order_seq_cst))
    futexWake(workEpoch, std::min<uint64_t>(parked, units));
}

void Scheduler::wakeWaiters() {
  doneEpoch.fetch_add(1, std::memory_order_seq_cst);
  if (parkedWaiters.load(std::memory_order_seq_cst))
    futexWake(doneEpoch, INT_MAX);
}

/// Wakes those alone whose waiting is over.
void Scheduler::wakeServedWaiters() {
  doneEpoch.fetch_add(1, std::memory_order_seq_cst);
  bool any = false;
  {
    std::lock_guard guard(waitersLock);
    for (const Waiter *each = waiters; each && !any; each = each->next)
      any = each->done(each->context);
  }
  if (any && parkedWaiters.load(std::memory_order_seq_cst))
    futexWake(doneEpoch, INT_MAX);
}

void Scheduler::wakeAllWaiters() {
  for (Scheduler *scheduler : all())
    scheduler->wakeWaiters();
}

} // namespace cufort::cpu
