//===- Watched.h - what others fulfil without a word ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation may wait for a value in memory or for an event of another
// process. Nobody tells the scheduler when that comes; while there are such
// operations, one thread of the process looks again and again.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_STREAMS_WATCHED_H
#define CUFORT_RUNTIME_CPU_STREAMS_WATCHED_H

#include "runtime/cpu/streams/Operation.h"

namespace cufort::cpu {

/// Starts the thread that looks, once; cudaErrorOperatingSystem: the system
/// refuses it. To be called before a WatchedOperation is made.
Error startWatching();

/// While it lives, what has come from elsewhere is looked for.
class Watch {
public:
  Watch();
  Watch(const Watch &) = delete;
  Watch &operator=(const Watch &) = delete;
  ~Watch();
};

/// An operation whose ready() looks at what others write.
class WatchedOperation : public Operation {
public:
  check::WorkKind workKind() const override { return check::WorkKind::Blind; }

protected:
  WatchedOperation() : Operation(0) {}

private:
  const Watch watch;
};

/// What waits for a value in memory; the conditions are
/// CUstreamWaitValue_flags.
class ValueWait final : public WatchedOperation {
public:
  enum Condition { NotBelow = 0, Equal = 1, AnyBit = 2, NotAllBits = 3 };

  ValueWait(const void *address, uint64_t value, bool wide, unsigned condition)
      : address(address), value(value), wide(wide), condition(condition) {}
  bool ready() override;

private:
  const void *address;
  const uint64_t value;
  const bool wide; ///< 64 bits
  const unsigned condition;
};

/// Writes a value for others to see after everything before it.
class ValueWrite final : public Operation {
public:
  ValueWrite(void *address, uint64_t value, bool wide)
      : Operation(1), address(address), value(value), wide(wide) {}
  void run(uint64_t, uint64_t, Participant &) override;

private:
  void *address;
  const uint64_t value;
  const bool wide;
};

/// Waits for a recording of an event that other processes share.
class SharedEventWait final : public WatchedOperation {
public:
  explicit SharedEventWait(EventRecord *record) : record(record) {
    record->retain();
  }
  bool ready() override { return record->isDone(); }

private:
  const RecordPointer record;
};

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_STREAMS_WATCHED_H
