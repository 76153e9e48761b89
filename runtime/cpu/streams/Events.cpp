//===- Events.cpp - events of the CPU -----------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/CpuEngine.h"

namespace cufort::cpu {

class Event {
public:
  Event(unsigned flags, std::shared_ptr<SharedEvent> shared)
      : flags(flags), shared(std::move(shared)) {}
  ~Event() {
    if (record)
      record->drop();
  }
  const unsigned flags;
  const std::shared_ptr<SharedEvent> shared; ///< by several processes
  EventRecord *record = nullptr;             ///< where it is not shared
};

// cudaEventCreateWithFlags
static constexpr unsigned DisableTiming = 2, Interprocess = 4;

/// What stands for the last recording, wherever it was made.
static EventRecord *lastRecordOf(const std::shared_ptr<SharedEvent> &shared) {
  const uint64_t number = shared->last();
  if (!number)
    return nullptr;
  auto *record = new EventRecord;
  record->shared = shared;
  record->number = number;
  return record;
}

bool CpuEngine::findRecord(EventHandle handle, EventRecord **record,
                           bool *timing, Scheduler **home) {
  auto *event = static_cast<Event *>(handle);
  const auto look = [&](CpuEngine &engine) {
    std::lock_guard lock(engine.mutex);
    if (!engine.events.count(event))
      return false;
    *record = event->shared ? lastRecordOf(event->shared) : event->record;
    if (event->record)
      event->record->retain();
    if (timing)
      *timing = !(event->flags & DisableTiming);
    if (home)
      *home = &engine.scheduler;
    return true;
  };
  if (look(*this))
    return true;
  for (CpuEngine *engine : cpuEngines())
    if (engine != this && look(*engine))
      return true;
  return false;
}

Error CpuEngine::createEvent(EventHandle *handle, unsigned flags) {
  std::shared_ptr<SharedEvent> shared;
  if (flags & Interprocess)
    if (Error error = SharedEvent::create(&shared); error != cudaSuccess)
      return error;
  return addEvent(handle, flags, std::move(shared));
}

Error CpuEngine::addEvent(EventHandle *handle, unsigned flags,
                          std::shared_ptr<SharedEvent> shared) {
  auto event = std::make_unique<Event>(flags, std::move(shared));
  std::lock_guard lock(mutex);
  events.insert(event.get());
  *handle = event.release();
  return cudaSuccess;
}

Error CpuEngine::exportEvent(EventHandle handle, IpcHandle *result) {
  auto *event = static_cast<Event *>(handle);
  for (CpuEngine *engine : cpuEngines()) {
    std::lock_guard lock(engine->mutex);
    if (!engine->events.count(event))
      continue;
    if (!event->shared)
      return cudaErrorInvalidResourceHandle;
    event->shared->describe(result);
    return cudaSuccess;
  }
  return cudaErrorInvalidResourceHandle;
}

Error CpuEngine::importEvent(const IpcHandle &description,
                             EventHandle *handle) {
  std::shared_ptr<SharedEvent> shared;
  const Error error = SharedEvent::open(description, &shared);
  return error == cudaSuccess
             ? addEvent(handle, DisableTiming | Interprocess, std::move(shared))
             : error;
}

Error CpuEngine::destroyEvent(EventHandle handle) {
  auto *event = static_cast<Event *>(handle);
  graphSet.forgetEvent(handle);
  for (CpuEngine *engine : cpuEngines()) {
    std::lock_guard lock(engine->mutex);
    if (engine->events.erase(event)) {
      delete event;
      return cudaSuccess;
    }
  }
  return cudaErrorInvalidResourceHandle;
}

Error CpuEngine::recordEvent(EventHandle handle, StreamHandle streamHandle,
                             bool external) {
  Stream *stream = findAny(streamHandle);
  // An event belongs to the device of its streams.
  if (!stream || &stream->scheduler != &scheduler)
    return cudaErrorInvalidResourceHandle;
  auto *event = static_cast<Event *>(handle);
  {
    std::lock_guard lock(mutex);
    if (!events.count(event))
      return cudaErrorInvalidResourceHandle;
  }
  Error error;
  if (graphSet.capturing() &&
      graphSet.capturedRecord(*stream, handle, external, &error))
    return error;
  if (external) // of captures only
    return cudaErrorIllegalState;
  graphSet.forgetEvent(handle);
  RecordPointer record(new EventRecord);
  record->stream = stream;
  OperationPointer operation(new RecordOperation(record.get()));
  std::lock_guard lock(mutex);
  if (!events.count(event))
    return cudaErrorInvalidResourceHandle;
  if (event->shared) {
    record->shared = event->shared;
    record->number = event->shared->begin();
    scheduler.submit(*stream, operation.release());
    return cudaSuccess;
  }
  if (event->record)
    event->record->drop();
  event->record = record.release();
  event->record->sequence = scheduler.submit(*stream, operation.release());
  return cudaSuccess;
}

Error CpuEngine::eventRecorded(EventHandle handle, bool *recorded) {
  EventRecord *record;
  if (!findRecord(handle, &record, nullptr))
    return cudaErrorInvalidResourceHandle;
  *recorded = record;
  if (record)
    record->drop();
  return cudaSuccess;
}

Error CpuEngine::synchronizeEvent(EventHandle handle) {
  EventRecord *record;
  Scheduler *home;
  if (Error error = graphSet.refuseEvent(handle); error != cudaSuccess)
    return error;
  if (!findRecord(handle, &record, nullptr, &home))
    return cudaErrorInvalidResourceHandle;
  if (record) {
    home->waitRecord(*record);
    record->drop();
  }
  return cudaSuccess;
}

Error CpuEngine::queryEvent(EventHandle handle) {
  EventRecord *record;
  if (Error error = graphSet.refuseEvent(handle); error != cudaSuccess)
    return error;
  if (!findRecord(handle, &record, nullptr))
    return cudaErrorInvalidResourceHandle;
  const bool done = !record || record->isDone();
  if (record && done && check::checking())
    check::hostKnows(record->work);
  if (record)
    record->drop();
  return done ? cudaSuccess : cudaErrorNotReady;
}

Error CpuEngine::elapsedTime(float *milliseconds, EventHandle start,
                             EventHandle end) {
  for (EventHandle event : {start, end})
    if (Error error = graphSet.checkTime(event); error != cudaSuccess)
      return error;
  EventRecord *from = nullptr, *to = nullptr;
  bool fromTiming = false, toTiming = false;
  Error error = cudaSuccess;
  if (!findRecord(start, &from, &fromTiming) ||
      !findRecord(end, &to, &toTiming) || !from || !to || !fromTiming ||
      !toTiming)
    error = cudaErrorInvalidResourceHandle;
  else if (!from->isDone() || !to->isDone())
    error = cudaErrorNotReady;
  else
    *milliseconds =
        std::chrono::duration<float, std::milli>(to->time - from->time).count();
  if (error == cudaSuccess && check::checking())
    for (const EventRecord *each : {from, to})
      check::hostKnows(each->work);
  if (from)
    from->drop();
  if (to)
    to->drop();
  return error;
}

void CpuEngine::destroyEvents() {
  for (Event *event : events)
    delete event;
  events.clear();
}

} // namespace cufort::cpu
