//===- Operation.h - one entry of a stream ----------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_OPERATION_H
#define CUFORT_RUNTIME_CPU_OPERATION_H

#include "runtime/cpu/Claims.h"
#include <atomic>
#include <chrono>
#include <cstdint>

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
  /// Its turn is over. Under the lock.
  virtual void completed() {}

  void retain() { references.fetch_add(1, std::memory_order_relaxed); }
  void drop() {
    if (references.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

  const uint64_t units;
  Claims claims;
  std::atomic<uint64_t> done{0};
  uint64_t sequence = 0;
  Stream *stream = nullptr;
  Operation *following = nullptr; ///< in the stream
  bool active = false;
  Operation *before = nullptr, *after = nullptr; ///< in the list of active ones

private:
  std::atomic<uint32_t> references{1};
};

/// The completion of one recording of an event; shared by the event and
/// everything that waits for it.
struct EventRecord {
  std::atomic<bool> done{false};
  uint64_t sequence = 0;
  Clock::time_point time{};
  std::atomic<uint32_t> references{1};

  void retain() { references.fetch_add(1, std::memory_order_relaxed); }
  void drop() {
    if (references.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }
};

class RecordOperation final : public Operation {
public:
  explicit RecordOperation(EventRecord *record) : Operation(0), record(record) {
    record->retain();
  }
  ~RecordOperation() override { record->drop(); }
  void completed() override {
    record->time = Clock::now();
    record->done.store(true, std::memory_order_release);
  }

private:
  EventRecord *record;
};

class WaitOperation final : public Operation {
public:
  explicit WaitOperation(EventRecord *record) : Operation(0), record(record) {
    record->retain();
  }
  ~WaitOperation() override { record->drop(); }
  bool ready() override { return record->done.load(std::memory_order_acquire); }

private:
  EventRecord *record;
};

class HostCallOperation final : public Operation {
public:
  HostCallOperation(void (*function)(void *), void *data)
      : Operation(1), function(function), data(data) {}
  void run(uint64_t, uint64_t, Participant &) override { function(data); }

private:
  void (*function)(void *);
  void *data;
};

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_OPERATION_H
