//===- Scheduler.cpp - streams and worker threads -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/streams/Scheduler.h"
#include "runtime/core/process/Stop.h"
#include "runtime/cpu/launches/Fibers.h"
#include "runtime/cpu/launches/KernelOutput.h"
#include "runtime/cpu/streams/Futex.h"
#include <algorithm>
#include <cstdio>
#include <pthread.h>
#include <sched.h>
#include <system_error>
#include <thread>
#include <utility>

namespace cufort::cpu {
namespace {

/// Whether this thread is one of the scheduler's.
thread_local bool OnThread = false;

/// Of a thread that waits, while it works: whose work it does. Then it looks
/// for functions of the program's itself.
thread_local const Scheduler *Helped = nullptr;

/// How long, in microseconds, the thread for functions of the program's leaves
/// one to who may be about to wait for it, and how long it stays awake.
constexpr unsigned FunctionGrace = 2, FunctionSpin = 20;

/// How often it sleeps at once after it was awake in vain: where others want
/// its core, it keeps them from making what it waits for.
constexpr unsigned FunctionSleeps = 64;

void pause() { __builtin_ia32_pause(); }

/// Whether \p condition came true within \p microseconds.
template <typename Condition>
bool spinUntil(Condition condition, unsigned microseconds) {
  if (!microseconds)
    return condition();
  const auto deadline = Clock::now() + std::chrono::microseconds(microseconds);
  do {
    for (int i = 0; i < 32; ++i) {
      if (condition())
        return true;
      pause();
    }
  } while (Clock::now() < deadline);
  return false;
}

} // namespace

void SpinLock::lock() {
  for (unsigned tries = 0; taken.exchange(true, std::memory_order_acquire);) {
    while (taken.load(std::memory_order_relaxed)) {
      if (++tries < 256)
        pause();
      else
        sched_yield(); // The owner may have lost its core.
    }
  }
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

Scheduler::Scheduler(unsigned threads, unsigned cores, Observer &observer)
    : limit(threads),
      // Where threads share a core, spinning keeps the others from running.
      spins(cores > 1 && cores >= threads ? 100 : 0), observer(observer) {
  busy.reserve(streamCount);
  all().push_back(this);
}

/// Starts a thread that runs \p loop(its participant); false: it cannot be.
template <typename Loop>
bool Scheduler::startThread(const char *name, Loop loop) {
  if (faultDue("thread"))
    return false;
  running.fetch_add(1, std::memory_order_acq_rel);
  const auto refused = [this] {
    running.fetch_sub(1, std::memory_order_acq_rel);
    return false;
  };
  try {
    // The thread itself could not say that there is no memory for it.
    auto own = std::make_unique<Participant>();
    std::thread thread([this, loop, own = std::move(own)]() mutable {
      const RuntimeScope scope;
      OnThread = true;
      leaveStopsToHost();
      loop(Participant::adopt(std::move(own)));
      running.fetch_sub(1, std::memory_order_acq_rel);
    });
    pthread_setname_np(thread.native_handle(), name);
    thread.detach();
    return true;
  } catch (const std::system_error &) { // the limit of threads
    return refused();
  } catch (const std::bad_alloc &) {
    return refused();
  }
}

void Scheduler::start() {
  installFaultHandlers();
  // The host thread that waits is the last participant.
  const unsigned workers = std::max(1u, limit - 1);
  unsigned started = 0;
  const bool functionThread =
      startThread("cufort-host", [this](Participant &participant) {
        hostFunctionLoop(participant);
      });
  while (functionThread && started < workers &&
         startThread(
             "cufort-worker",
             [this, started](Participant &participant) {
               workerLoop(started, participant);
             }))
    ++started;
  if (!started)
    stopProgram(nullptr, 0, "starting the worker threads of the CPU",
                cudaErrorOperatingSystem,
                "the system refuses new threads, or the memory for them (see "
                "ulimit -u and the control group's pids.max and memory.max)");
  if (started < workers)
    std::fprintf(stderr,
                 "warning: the system refuses new threads: the CPU works with "
                 "%u threads instead of %u\n",
                 started + 1, limit);
}

void Scheduler::stop() {
  stopping.store(true, std::memory_order_seq_cst);
  workEpoch.fetch_add(1, std::memory_order_seq_cst);
  futexWake(workEpoch, INT_MAX);
  functionEpoch.fetch_add(1, std::memory_order_seq_cst);
  futexWake(functionEpoch, INT_MAX);
  // Those whose kernels have ended the program never come back.
  const auto deadline =
      Clock::now() + std::chrono::milliseconds(programStops() ? 20 : 1000);
  // A worker that ends the program itself does not wait for itself.
  const unsigned left = OnThread ? 1 : 0;
  while (running.load(std::memory_order_acquire) > left &&
         Clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::microseconds(50));
}

/// Whether \p word leaves \p seen before the thread should sleep: at once where
/// an operation needs all cores.
bool Scheduler::spinUntilChanged(const std::atomic<uint32_t> &word,
                                 uint32_t seen) const {
  const auto changed = [&] {
    return word.load(std::memory_order_acquire) != seen;
  };
  spinUntil([&] { return changed() || alone.load(std::memory_order_relaxed); },
            spins);
  return changed();
}

void Scheduler::workerLoop(unsigned number, Participant &participant) {
  OnWorker = true;
  for (;;) {
    const uint32_t seen = workEpoch.load(std::memory_order_acquire);
    if (stopping.load(std::memory_order_acquire))
      return;
    if (Operation *operation =
            takeTurn([](const Operation &) { return true; })) {
      work(operation, number, participant);
      endTurn();
    } else if (!spinUntilChanged(workEpoch, seen))
      park(workEpoch, seen, parkedWorkers);
  }
}

void Scheduler::hostFunctionLoop(Participant &participant) {
  const auto everything = [](const Operation &) { return true; };
  unsigned sleeps = 0;
  for (;;) {
    const uint32_t seen = functionEpoch.load(std::memory_order_acquire);
    if (stopping.load(std::memory_order_acquire))
      return;
    if (Operation *function = takeFunction(everything)) {
      work(function, 0, participant);
      continue;
    }
    // Awake for a while, so that a series of functions costs no calls of the
    // system, but not where workers need the core.
    const auto changed = [&] {
      return functionEpoch.load(std::memory_order_acquire) != seen;
    };
    const auto busy = [&] {
      return activeCount.load(std::memory_order_acquire) != 0;
    };
    if (sleeps)
      --sleeps;
    else if (spins &&
             !spinUntil([&] { return changed() || busy(); }, FunctionSpin))
      sleeps = FunctionSleeps;
    if (changed())
      spinUntil([&] { return !functionDue.load(std::memory_order_acquire); },
                spins ? FunctionGrace : 0);
    else
      park(functionEpoch, seen, parkedFunctionThread);
  }
}

template <typename Wanted> Operation *Scheduler::takeFunction(Wanted wanted) {
  if (!functionDue.load(std::memory_order_acquire))
    return nullptr;
  std::lock_guard guard(lock);
  if (!functionDue.load(std::memory_order_relaxed) || !wanted(*functions))
    return nullptr;
  functionDue.store(false, std::memory_order_seq_cst);
  functions->retain();
  return functions;
}

template <typename Wanted> Operation *Scheduler::pick(Wanted wanted) {
  if (!activeCount.load(std::memory_order_acquire))
    return nullptr;
  std::lock_guard guard(lock);
  if (alone.load(std::memory_order_relaxed))
    return nullptr;
  for (Operation *operation = active; operation; operation = operation->after)
    if (!operation->claims.exhausted() && wanted(*operation)) {
      operation->retain();
      if (operation->takesAllCores())
        alone.store(operation, std::memory_order_relaxed);
      return operation;
    }
  return nullptr;
}

/// As pick, but where one thread is all there may be, the worker and the thread
/// that waits take turns.
template <typename Wanted> Operation *Scheduler::takeTurn(Wanted wanted) {
  if (limit > 1)
    return pick(wanted);
  if (!activeCount.load(std::memory_order_acquire) ||
      turnTaken.exchange(true, std::memory_order_acq_rel))
    return nullptr;
  Operation *operation = pick(wanted);
  if (!operation)
    endTurn();
  return operation;
}

void Scheduler::endTurn() {
  if (limit > 1)
    return;
  turnTaken.store(false, std::memory_order_seq_cst);
  // The other one may have come in vain.
  if (activeCount.load(std::memory_order_seq_cst)) {
    wakeWorkers(1);
    wakeWaiters();
  }
}

void Scheduler::workWhileWaiting(Operation *operation, unsigned number) {
  const Scheduler *before = Helped;
  Helped = this;
  work(operation, number, Participant::current());
  Helped = before;
}

/// Takes part in the operations that \p wanted names until \p done. Only one
/// host thread at a time works; others sleep. Each runs the functions of the
/// program's that \p awaited names, in their turn: nothing else can be what
/// it waits for then, and no thread has to be woken.
template <typename Done, typename Wanted, typename Awaited>
void Scheduler::help(Done done, Wanted wanted, Awaited awaited) {
  Waiter self = {[](void *of) { return bool((*static_cast<Done *>(of))()); },
                 &done, nullptr};
  bool registered = false;
  const profile::Waiting waiting;
  while (!done()) {
    const uint32_t seen = doneEpoch.load(std::memory_order_acquire);
    takeStopOver();
    if (done())
      break;
    if (Operation *function = takeFunction(awaited)) {
      workWhileWaiting(function, 0);
      continue;
    }
    tellFunctionThread();
    if (!waiterWorks.exchange(true, std::memory_order_acq_rel)) {
      Operation *operation = takeTurn(wanted);
      if (operation) {
        workWhileWaiting(operation, limit - 1);
        endTurn();
      }
      waiterWorks.store(false, std::memory_order_release);
      if (operation)
        continue;
    }
    // Who is about to sleep is known before it looks for the last time.
    if (!std::exchange(registered, true)) {
      enter(self);
      continue;
    }
    // One of those who wait may spin; more of them would take the cores from
    // the workers.
    const bool mine = !waiterSpins.exchange(true, std::memory_order_acq_rel);
    const bool changed = mine && spinUntilChanged(doneEpoch, seen);
    if (mine)
      waiterSpins.store(false, std::memory_order_release);
    if (!changed)
      park(doneEpoch, seen, parkedWaiters);
  }
  if (registered)
    leave(self);
  tellFunctionThread();
}

/// Whether the calling thread, which submits \p operation, may perform it: not
/// where the device's threads do, or where another device could work meanwhile.
bool Scheduler::mayPerform(const Operation &operation) {
  return operation.takesAllCores() && all().size() == 1 && !OnThread && !Helped;
}

void Scheduler::enter(Waiter &waiter) {
  std::lock_guard guard(waitersLock);
  waiter.next = waiters;
  waiters = &waiter;
}

void Scheduler::leave(Waiter &waiter) {
  std::lock_guard guard(waitersLock);
  Waiter **link = &waiters;
  while (*link != &waiter)
    link = &(*link)->next;
  *link = waiter.next;
}

void Scheduler::wake(const Started &started) {
  if (started.units)
    wakeWorkers(started.units);
  if (started.functions && Helped != this)
    tellFunctionThread();
}

/// Leaves a function that is due to the thread for functions.
void Scheduler::tellFunctionThread() {
  if (!functionDue.load(std::memory_order_seq_cst))
    return;
  functionEpoch.fetch_add(1, std::memory_order_seq_cst);
  if (parkedFunctionThread.load(std::memory_order_seq_cst))
    futexWake(functionEpoch, 1);
}

//===----------------------------------------------------------------------===//
// Waiting. Who has waited sees what kernels have printed.
//===----------------------------------------------------------------------===//

/// Whether \p stream gets to its operation \p sequence only after \p function.
bool Scheduler::isBefore(const Operation &function, const Stream *stream,
                         uint64_t sequence) const {
  return function.sequence <= sequence &&
         (function.stream == stream ||
          (stream == &legacy && function.stream->blocking));
}

void Scheduler::waitOperation(Stream &stream, uint64_t sequence) {
  help(
      [&] {
        return stream.completed.load(std::memory_order_acquire) >= sequence;
      },
      [&](const Operation &operation) {
        // What the stream itself runs now or, while its head waits, whatever
        // is older and may hold it up.
        return operation.stream == &stream
                   ? true
                   : !(stream.head && stream.head->active) &&
                         operation.sequence < sequence;
      },
      [&](const Operation &function) {
        return isBefore(function, &stream, sequence);
      });
  if (check::checking())
    check::hostKnowsStream(factsOf(stream));
  deliverKernelOutput();
}

void Scheduler::waitStream(Stream &stream) {
  waitOperation(stream, stream.submitted.load(std::memory_order_acquire));
}

void Scheduler::waitRecord(EventRecord &record) {
  if (record.shared) // Nobody tells of what other processes do.
    while (!record.isDone()) {
      takeStopOver();
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  help([&] { return record.isDone(); },
       [&](const Operation &operation) {
         return operation.sequence < record.sequence;
       },
       [&](const Operation &function) {
         return isBefore(function, record.stream, record.sequence);
       });
  if (check::checking())
    check::hostKnows(record.work);
  deliverKernelOutput();
}

void Scheduler::waitAll() {
  waitForAll();
  if (check::checking())
    check::hostKnowsDevice(this);
}

void Scheduler::waitForAll() {
  if (idle())
    return deliverKernelOutput();
  uint64_t target;
  {
    std::lock_guard guard(lock);
    target = lastSequence;
  }
  help(
      [&] {
        if (idle())
          return true;
        std::lock_guard guard(lock);
        for (const Stream *stream : busy)
          if (stream->head->sequence <= target)
            return false;
        return true;
      },
      [&](const Operation &operation) { return operation.sequence <= target; },
      [&](const Operation &function) { return function.sequence <= target; });
  deliverKernelOutput();
}

} // namespace cufort::cpu
