//===- SchedulerStreams.cpp - the streams of the scheduler --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/proofs/Proofs.h"
#include "runtime/cpu/streams/Scheduler.h"
#include <algorithm>
#include <memory>
#include <mutex>

namespace cufort::cpu {

Stream *Scheduler::createStream(bool blocking, int priority) {
  auto stream = std::make_unique<Stream>(*this, blocking, priority);
  if (check::checking())
    check::streamBegins(factsOf(*stream));
  check::noteStream();
  std::lock_guard guard(lock);
  // So that no submission has to ask for memory.
  if (busy.capacity() <= streamCount)
    busy.reserve(2 * (streamCount + 1));
  streams.insert(stream.get());
  ++streamCount;
  return stream.release();
}

bool Scheduler::destroyStream(Stream *stream) {
  std::lock_guard guard(lock);
  if (!streams.erase(stream))
    return false;
  if (check::checking())
    check::streamEnds(stream);
  stream->destroyed = true;
  if (!stream->head)
    end(stream);
  return true;
}

void Scheduler::destroyStreams() {
  std::lock_guard guard(lock);
  for (Stream *stream : streams) {
    if (check::checking())
      check::streamEnds(stream);
    stream->destroyed = true;
    if (!stream->head)
      end(stream);
  }
  streams.clear();
}

void Scheduler::end(Stream *stream) {
  --streamCount;
  delete stream;
}

bool Scheduler::exists(Stream *stream) {
  std::lock_guard guard(lock);
  return stream == &legacy || streams.count(stream);
}

void Scheduler::order(const Stream &stream, Operation &operation) {
  if (!check::checking())
    return;
  operation.work = check::submitted(factsOf(stream), operation.workKind(),
                                    operation.awaited(), operation.place);
  operation.ordered();
}

void Scheduler::describe(const Stream &stream, Operation &operation) noexcept {
  profile::Recorder *recorder = profile::recorder();
  if (!recorder || !operation.units)
    return;
  (void)catchExhaustion([&] {
    auto work = std::make_unique<profile::Work>();
    if (operation.describe(*work)) {
      work->device = stream.scheduler.device;
      work->stream = &stream == &stream.scheduler.legacy ? nullptr : &stream;
      recorder->submitted(*work);
      operation.profiled = std::move(work);
    }
    return cudaSuccess;
  });
}

uint64_t Scheduler::submit(Stream &stream, Operation *operation,
                           bool byCaller) noexcept {
  order(stream, *operation);
  if (profile::recorder()) [[unlikely]]
    describe(stream, *operation);
  Started started;
  uint64_t sequence;
  const bool instant = operation->units == 0;
  const bool helps = byCaller && mayPerform(*operation) &&
                     !waiterWorks.exchange(true, std::memory_order_acq_rel);
  bool mine = false;
  {
    std::lock_guard guard(lock);
    sequence = operation->sequence = ++lastSequence;
    operation->stream = &stream;
    stream.submitted.store(sequence, std::memory_order_release);
    pending.fetch_add(1, std::memory_order_relaxed);
    const bool first = !stream.head;
    (first ? stream.head : stream.tail->following) = operation;
    stream.tail = operation;
    if (first) {
      stream.place = busy.size();
      busy.push_back(&stream);
      ++waiting;
      if (instant)
        started = advance();
      else if (mayStart(stream)) {
        mine = helps && !active;
        started = activate(operation);
        if (mine) {
          operation->retain();
          alone.store(operation, std::memory_order_relaxed);
        }
      }
    }
  }
  if (mine) {
    const profile::Waiting waiting;
    workWhileWaiting(operation, limit - 1);
  } else {
    wake(started);
  }
  if (helps)
    waiterWorks.store(false, std::memory_order_release);
  if (instant) {
    wakeWaiters();
    tellOthers();
  }
  return sequence;
}

/// Whether the head of \p stream may start. Operations of the default stream
/// wait for all older ones of blocking streams and the reverse.
bool Scheduler::mayStart(const Stream &stream) const {
  Operation &head = *stream.head;
  if (head.active)
    return false;
  if (&stream == &legacy) {
    for (const Stream *other : busy)
      if (other != &legacy && other->blocking &&
          other->head->sequence < head.sequence)
        return false;
  } else if (stream.blocking && legacy.head &&
             legacy.head->sequence < head.sequence) {
    return false;
  }
  // After a failure nothing is waited for: others may never come.
  return failed.load(std::memory_order_relaxed) || head.ready();
}

Scheduler::Started Scheduler::activate(Operation *operation) {
  operation->active = true;
  --waiting;
  if (operation->callsProgram()) {
    operation->before = lastFunction;
    (lastFunction ? lastFunction->after : functions) = operation;
    lastFunction = operation;
    if (operation == functions) // else one is due, or runs
      functionDue.store(true, std::memory_order_seq_cst);
    return {0, true};
  }
  operation->claims.divide(limit);
  // Behind those that are as urgent.
  Operation *before = lastActive, *after = nullptr;
  for (; before && before->stream->priority > operation->stream->priority;
       before = before->before)
    after = before;
  operation->before = before;
  operation->after = after;
  (before ? before->after : active) = operation;
  (after ? after->before : lastActive) = operation;
  activeCount.fetch_add(1, std::memory_order_release);
  return {operation->units, false};
}

void Scheduler::deactivate(Operation *operation) {
  const bool function = operation->callsProgram();
  (operation->before ? operation->before->after
   : function        ? functions
                     : active) = operation->after;
  (operation->after ? operation->after->before
   : function       ? lastFunction
                    : lastActive) = operation->before;
  ++waiting; // Until complete removes it.
  if (function)
    functionDue.store(functions, std::memory_order_seq_cst);
  else
    activeCount.fetch_sub(1, std::memory_order_release);
}

/// Starts every head that may start.
Scheduler::Started Scheduler::advance() {
  Started started;
  for (bool changed = true; changed && waiting;) {
    changed = false;
    for (size_t i = 0; i < busy.size(); ++i) {
      Stream &stream = *busy[i];
      if (!mayStart(stream))
        continue;
      if (stream.head->units) {
        started.add(activate(stream.head));
      } else {
        complete(stream.head);
        changed = true;
        break; // The list of busy streams may have changed.
      }
    }
  }
  return started;
}

/// Puts \p launched and what follows it behind \p operation in its stream.
void Scheduler::insertBehind(Operation *operation, Operation *launched) {
  Operation *last = launched;
  for (Operation *each = launched; each; each = each->following) {
    each->sequence = operation->sequence;
    each->stream = operation->stream;
    each->work = operation->work;
    describe(*each->stream, *each);
    pending.fetch_add(1, std::memory_order_relaxed);
    last = each;
  }
  last->following = operation->following;
  operation->following = launched;
  if (operation->stream->tail == operation)
    operation->stream->tail = last;
}

/// Removes the head of a stream; whether the stream has another one.
bool Scheduler::complete(Operation *operation) {
  Stream &stream = *operation->stream;
  operation->completed();
  if (Operation *launched = operation->takeLaunched())
    insertBehind(operation, launched);
  stream.head = operation->following;
  const bool more = stream.head;
  if (!more) {
    stream.tail = nullptr;
    --waiting;
    busy.back()->place = stream.place;
    busy[stream.place] = busy.back();
    busy.pop_back();
  }
  pending.fetch_sub(1, std::memory_order_release);
  if (more && stream.head->sequence == operation->sequence)
    stream.head->nested = operation->nested + 1;
  else
    stream.completed.store(operation->sequence, std::memory_order_release);
  if (stream.destroyed && !more)
    end(&stream);
  operation->drop();
  return more;
}

} // namespace cufort::cpu
