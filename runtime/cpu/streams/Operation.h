//===- Operation.h - one entry of a stream ----------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_STREAMS_OPERATION_H
#define CUFORT_RUNTIME_CPU_STREAMS_OPERATION_H

#include "runtime/check/Order.h"
#include "runtime/core/Device.h"
#include "runtime/core/process/FaultInjection.h"
#include "runtime/cpu/launches/Claims.h"
#include "runtime/cpu/launches/Faults.h"
#include "runtime/cpu/streams/SharedEvents.h"
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

namespace cufort::cpu {

class Participant;
class Stream;

using Clock = std::chrono::steady_clock;

/// A kernel, a copy, an event: what a stream executes in order. An operation
/// consists of units (blocks of a kernel, pieces of a copy) that participants
/// claim; one without units completes when its turn comes.
class Operation {
public:
  explicit Operation(uint64_t units,
                     Claims::Order order = Claims::Order::Shares)
      : units(units), claims(units, order) {}
  virtual ~Operation() = default;

  /// Whether it may start, as far as streams do not say. Under the lock.
  virtual bool ready() { return true; }
  /// Runs the units [begin, end), in ascending order.
  virtual void run(uint64_t begin, uint64_t end, Participant &participant) {}
  /// Called after the last unit; false: run all units once more.
  virtual bool phaseFinished() { return true; }
  /// What the profile says of it; false: nothing.
  virtual bool describe(profile::Work &) const { return false; }
  /// The kernel it launches, for messages; null: none.
  virtual const char *kernelName() const { return nullptr; }
  /// Its turn is over. Under the lock.
  virtual void completed() {}
  /// What comes right after it in its stream because its kernel has launched
  /// it, linked by \c following; null: nothing. Under the lock.
  virtual Operation *takeLaunched() { return nullptr; }

  void retain() { references.fetch_add(1, std::memory_order_relaxed); }
  void drop() {
    if (references.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

  /// Runs a function of the program's, which may wait for anything.
  virtual bool callsProgram() const { return false; }

  /// What the checkers are told of its place in the program's order.
  virtual check::WorkKind workKind() const { return check::WorkKind::Work; }
  /// What it waits for, as far as its stream does not say; null: nothing.
  virtual check::WorkPointer awaited() const { return nullptr; }
  /// \c work is known.
  virtual void ordered() {}

  /// While it runs, threads that come free take no other work: it has threads
  /// of its own for all cores.
  virtual bool takesAllCores() const { return false; }

  const uint64_t units;
  Claims claims;
  std::atomic<uint64_t> done{0};
  uint64_t sequence = 0;
  /// Among those with one sequence number, which a launch and what its kernel
  /// launches have: how many were before it.
  uint64_t nested = 0;
  Stream *stream = nullptr;
  /// In the program's order, where that is checked; and the statement that
  /// stands for it, null for the one that submits it.
  check::WorkPointer work;
  const check::HostPlace *place = nullptr;
  /// Where a profile is taken.
  std::unique_ptr<profile::Work> profiled;
  Operation *following = nullptr; ///< in the stream
  bool active = false;
  Operation *before = nullptr, *after = nullptr; ///< in the list of active ones

private:
  std::atomic<uint32_t> references{1};
};

/// Of operations and records: gives back the reference of its holder.
struct DropReference {
  template <typename Counted> void operator()(Counted *counted) const {
    counted->drop();
  }
};
using OperationPointer = std::unique_ptr<Operation, DropReference>;

/// The completion of one recording of an event; shared by the event and
/// everything that waits for it.
struct EventRecord {
  std::atomic<bool> done{false};
  uint64_t sequence = 0;
  const Stream *stream = nullptr; ///< to compare with; it may be gone
  Clock::time_point time{};
  /// Of an event that processes share: the number of the recording there.
  std::shared_ptr<SharedEvent> shared;
  uint64_t number = 0;
  check::WorkPointer work; ///< the recording, where order is checked
  std::atomic<uint32_t> references{1};

  bool isDone() const {
    return shared ? shared->isDone(number)
                  : done.load(std::memory_order_seq_cst);
  }
  void finish() {
    time = Clock::now();
    if (shared)
      shared->finish(number);
    else
      done.store(true, std::memory_order_seq_cst);
  }

  void retain() { references.fetch_add(1, std::memory_order_relaxed); }
  void drop() {
    if (references.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }
};

using RecordPointer = std::unique_ptr<EventRecord, DropReference>;

class RecordOperation final : public Operation {
public:
  explicit RecordOperation(EventRecord *record) : Operation(0), record(record) {
    record->retain();
  }
  ~RecordOperation() override { record->drop(); }
  void completed() override { record->finish(); }
  check::WorkKind workKind() const override { return check::WorkKind::Marker; }
  void ordered() override { record->work = work; }

private:
  EventRecord *record;
};

class WaitOperation final : public Operation {
public:
  /// \p foreign: the record is of another device, whose scheduler must tell
  /// the others while there are such waits.
  WaitOperation(EventRecord *record, bool foreign)
      : Operation(0), record(record), foreign(foreign) {
    record->retain();
    if (foreign)
      ForeignWaits.fetch_add(1, std::memory_order_seq_cst);
  }
  ~WaitOperation() override {
    record->drop();
    if (foreign)
      ForeignWaits.fetch_sub(1, std::memory_order_relaxed);
  }
  bool ready() override { return record->isDone(); }
  check::WorkKind workKind() const override { return check::WorkKind::Marker; }
  check::WorkPointer awaited() const override { return record->work; }

  static inline std::atomic<unsigned> ForeignWaits{0};

private:
  EventRecord *record;
  const bool foreign;
};

class HostCallOperation final : public Operation {
public:
  HostCallOperation(void (*function)(void *), void *data)
      : Operation(1), function(function), data(data) {}
  void run(uint64_t, uint64_t, Participant &) override {
    Unguarded itsOwn;
    const ProgramScope program;
    check::hostCallbackBegins(work);
    call();
  }
  bool callsProgram() const override { return true; }
  bool describe(profile::Work &work) const override {
    work.kind = profile::WorkKind::HostFunction;
    return true;
  }

private:
  // No exception of the program's comes out of its stream.
  void call() noexcept {
    const HostFunctionScope scope;
    function(data);
  }

  void (*function)(void *);
  void *data;
};

/// Calls a function object when its turn comes; for the runtime itself.
template <typename Function> class CallOperation final : public Operation {
public:
  explicit CallOperation(Function function)
      : Operation(1), function(std::move(function)) {}
  void run(uint64_t, uint64_t, Participant &) override { function(); }
  check::WorkKind workKind() const override { return check::WorkKind::Marker; }

private:
  Function function;
};

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_STREAMS_OPERATION_H
