//===- Scheduler.h - streams and worker threads -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Streams are queues of operations. The head of a queue becomes active when
// the rules of CUDA's legacy default stream and the event waits allow it;
// participants then claim its units. Participants are the workers and one host
// thread at a time that waits for something: together as many threads as the
// device has cores. Functions of the program's (cudaLaunchHostFunc) have a
// thread of their own, for they may wait for what workers have yet to do; or a
// host thread runs them that waits for just that stream. They run one at a
// time, in the order in which they start.
//
// One spin lock guards queues and the list of active operations; claiming
// units takes no lock (Claims.h). Idle workers spin for a short while and then
// sleep in the kernel (futex).
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_STREAMS_SCHEDULER_H
#define CUFORT_RUNTIME_CPU_STREAMS_SCHEDULER_H

#include "runtime/cpu/launches/Participant.h"
#include "runtime/cpu/streams/Operation.h"
#include <memory>
#include <unordered_set>
#include <vector>

namespace cufort::cpu {

class SpinLock {
public:
  void lock();
  void unlock() { taken.store(false, std::memory_order_release); }

private:
  std::atomic<bool> taken{false};
};

class Scheduler;

class Stream {
public:
  Stream(Scheduler &scheduler, bool blocking, int priority)
      : scheduler(scheduler), blocking(blocking), priority(priority) {}

  Scheduler &scheduler;      ///< whose stream it is
  const bool blocking;       ///< orders with the default stream
  std::atomic<int> priority; ///< lower numbers are more urgent
private:
  friend class Scheduler;
  Operation *head = nullptr, *tail = nullptr;
  std::atomic<uint64_t> submitted{0}, completed{0}; ///< sequence numbers
  size_t place = 0; ///< in the list of busy streams
  bool destroyed = false;
};

class Scheduler {
public:
  /// What is told of an operation that failed, on the thread that ran it.
  class Observer {
  public:
    virtual void failed(const Operation &operation, const Fault &fault) = 0;

  protected:
    ~Observer() = default;
  };

  /// \p threads at most work at the same time, on \p cores.
  Scheduler(unsigned threads, unsigned cores, Observer &observer);

  /// Starts the workers, once; stops the program if not even one can start.
  void start();

  Stream &defaultStream() { return legacy; }
  Stream *createStream(bool blocking, int priority);
  /// False if \p stream does not exist. Pending work still completes.
  bool destroyStream(Stream *stream);
  /// Destroys all streams but the default one.
  void destroyStreams();
  bool exists(Stream *stream);

  /// What the checkers call \p stream.
  static check::StreamFacts factsOf(const Stream &stream) {
    return {&stream, &stream.scheduler, &stream == &stream.scheduler.legacy,
            stream.blocking};
  }
  /// Gives \p operation, which is about to be submitted, its place in the
  /// program's order, where that is checked.
  static void order(const Stream &stream, Operation &operation);

  /// Tells the profile, if one is taken, of \p operation in \p stream.
  static void describe(const Stream &stream, Operation &operation) noexcept;

  /// Appends \p operation, whose ownership it takes; returns its sequence
  /// number. Needs no memory. One that takes all cores is performed by the
  /// calling thread if \p byCaller and there is nothing else to do: a worker
  /// would have to be woken and to find a core that the library's threads leave
  /// it, while the caller's is idle.
  uint64_t submit(Stream &stream, Operation *operation,
                  bool byCaller = false) noexcept;

  /// Waits, taking part in the work, until ...
  void waitStream(Stream &stream);
  void waitOperation(Stream &stream, uint64_t sequence);
  void waitRecord(EventRecord &record);
  void waitAll();

  bool idle() const { return pending.load(std::memory_order_acquire) == 0; }
  bool idle(const Stream &stream) const {
    return stream.completed.load(std::memory_order_acquire) >=
           stream.submitted.load(std::memory_order_acquire);
  }

  unsigned threads() const { return limit; }
  /// False where threads share cores.
  bool spinsBeforeSleep() const { return spins != 0; }

  int device = 0; ///< its number, for the profile

  /// After a failure operations are taken from the streams without running,
  /// until recover is called.
  bool hasFailed() const { return failed.load(std::memory_order_acquire); }
  void recover() { failed.store(false, std::memory_order_release); }

  /// Starts, on all devices, what waited for what has come from elsewhere;
  /// whether there was any.
  static bool startReadyOperations();

  /// Lets host threads that wait for anything start what is ready.
  static void wakeAllWaiters();

  /// Lets workers finish the units they have claimed and ends them; gives up
  /// on those that do not come back within a second, or sooner where a kernel
  /// ends the program.
  void stop();

private:
  /// One for each device, made together.
  static std::vector<Scheduler *> &all();

  /// Whether this thread is one of the workers, which looks for more work when
  /// it has ended some.
  static thread_local bool OnWorker;

  // Participants have numbers: the workers, then the thread that waits.
  void workerLoop(unsigned number, Participant &participant);
  void hostFunctionLoop(Participant &participant);
  void waitForAll();
  template <typename Loop> bool startThread(const char *name, Loop loop);
  template <typename Done, typename Wanted, typename Awaited>
  void help(Done done, Wanted wanted, Awaited awaited);
  struct Waiter;
  void enter(Waiter &waiter);
  void leave(Waiter &waiter);
  bool spinUntilChanged(const std::atomic<uint32_t> &word, uint32_t seen) const;
  void workWhileWaiting(Operation *operation, unsigned number);
  template <typename Wanted> Operation *takeFunction(Wanted wanted);
  void tellFunctionThread();
  template <typename Wanted> Operation *pick(Wanted wanted);
  template <typename Wanted> Operation *takeTurn(Wanted wanted);
  void endTurn();
  void work(Operation *operation, unsigned number, Participant &participant);
  struct Work;
  static void runClaims(void *work);
  void finish(Operation *operation, uint64_t units);
  void retire(Operation *operation);
  void tellOthers();
  bool startReady();

  // Under the lock.
  /// What has become active: units for workers, functions of the program's.
  struct Started {
    uint64_t units = 0;
    bool functions = false;
    void add(const Started &more) {
      units += more.units;
      functions |= more.functions;
    }
  };
  bool mayStart(const Stream &stream) const;
  static bool mayPerform(const Operation &operation);
  bool isBefore(const Operation &function, const Stream *stream,
                uint64_t sequence) const;
  Started advance();
  Started activate(Operation *operation);
  void deactivate(Operation *operation);
  void insertBehind(Operation *operation, Operation *launched);
  bool complete(Operation *operation);
  void end(Stream *stream);

  /// Whether what is active takes all cores by itself, so that no other worker
  /// has to wake for it.
  bool isAlone() const;

  void wake(const Started &started);
  void wakeWorkers(uint64_t units);
  void wakeWaiters();
  void wakeServedWaiters();

  const unsigned limit;
  const unsigned spins; ///< microseconds before a thread sleeps
  Observer &observer;
  std::atomic<bool> failed{false};
  SpinLock lock;
  Stream legacy{*this, true, 0};
  /// The streams with operations; has room for all streams there are.
  std::vector<Stream *> busy;
  size_t streamCount = 1; ///< with those that are destroyed but have work
  size_t waiting = 0;     ///< heads of streams that are not active
  Operation *active = nullptr, *lastActive = nullptr;
  /// The active one that runs and takes all cores.
  std::atomic<const Operation *> alone{nullptr};
  /// Active ones that call the program, in the order in which they started.
  Operation *functions = nullptr, *lastFunction = nullptr;
  std::unordered_set<Stream *> streams;
  uint64_t lastSequence = 0;

  std::atomic<uint64_t> pending{0};
  alignas(64) std::atomic<uint32_t> activeCount{0};
  alignas(64) std::atomic<uint32_t> workEpoch{0};
  std::atomic<uint32_t> parkedWorkers{0};
  alignas(64) std::atomic<uint32_t> functionEpoch{0};
  std::atomic<uint32_t> parkedFunctionThread{0};
  /// There are functions of the program's, and none of them runs.
  std::atomic<bool> functionDue{false};
  alignas(64) std::atomic<uint32_t> doneEpoch{0};
  std::atomic<uint32_t> parkedWaiters{0};
  /// What each host thread waits for that may sleep.
  struct Waiter {
    bool (*done)(void *);
    void *context;
    Waiter *next;
  };
  SpinLock waitersLock; ///< before the other one
  Waiter *waiters = nullptr;
  std::atomic<bool> waiterWorks{false};
  std::atomic<bool> waiterSpins{false};
  std::atomic<bool> turnTaken{false}; ///< where the limit is one thread
  std::atomic<bool> stopping{false};
  std::atomic<unsigned> running{0};
};

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_STREAMS_SCHEDULER_H
