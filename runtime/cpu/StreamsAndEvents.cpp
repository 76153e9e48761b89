//===- StreamsAndEvents.cpp - streams and events of the CPU ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/CpuEngine.h"

namespace cufort::cpu {

class Event {
public:
  explicit Event(bool timing) : timing(timing) {}
  ~Event() {
    if (record)
      record->drop();
  }
  const bool timing;
  EventRecord *record = nullptr;
};

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

Stream *CpuEngine::find(StreamHandle handle) {
  if (!handle || handle == LegacyStream)
    return &scheduler.defaultStream();
  auto *stream = static_cast<Stream *>(handle);
  if (handle == PerThreadStream) {
    // An ordinary blocking stream of the thread; lives as long as the program.
    static thread_local Stream *own = nullptr;
    if (!own)
      own = scheduler.createStream(true);
    return own;
  }
  return scheduler.exists(stream) ? stream : nullptr;
}

Error CpuEngine::createStream(StreamHandle *stream, bool blocking, int) {
  *stream = scheduler.createStream(blocking);
  return cudaSuccess;
}

Error CpuEngine::destroyStream(StreamHandle stream) {
  if (!stream || stream == LegacyStream || stream == PerThreadStream)
    return cudaErrorInvalidResourceHandle;
  return scheduler.destroyStream(static_cast<Stream *>(stream))
             ? cudaSuccess
             : cudaErrorInvalidResourceHandle;
}

Error CpuEngine::synchronizeStream(StreamHandle handle) {
  Stream *stream = find(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (stream == &scheduler.defaultStream()) {
    // Everything that the default stream's next operation would wait for.
    auto *record = new EventRecord;
    scheduler.submit(*stream, new RecordOperation(record));
    record->drop();
  }
  scheduler.waitStream(*stream);
  return cudaSuccess;
}

Error CpuEngine::queryStream(StreamHandle handle) {
  Stream *stream = find(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (stream == &scheduler.defaultStream())
    return scheduler.idle() ? cudaSuccess : cudaErrorNotReady;
  return scheduler.idle(*stream) ? cudaSuccess : cudaErrorNotReady;
}

Error CpuEngine::waitEvent(StreamHandle handle, EventHandle event) {
  Stream *stream = find(handle);
  EventRecord *record;
  if (!stream || !findRecord(event, &record, nullptr))
    return cudaErrorInvalidResourceHandle;
  if (!record)
    return cudaSuccess;
  if (!record->done.load(std::memory_order_acquire))
    scheduler.submit(*stream, new WaitOperation(record));
  record->drop();
  return cudaSuccess;
}

Error CpuEngine::callHost(StreamHandle handle, void (*function)(void *),
                          void *data) {
  Stream *stream = find(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (!function)
    return cudaErrorInvalidValue;
  scheduler.submit(*stream, new HostCallOperation(function, data));
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

bool CpuEngine::findRecord(EventHandle handle, EventRecord **record,
                           bool *timing) {
  auto *event = static_cast<Event *>(handle);
  std::lock_guard lock(eventMutex);
  if (!events.count(event))
    return false;
  *record = event->record;
  if (event->record)
    event->record->retain();
  if (timing)
    *timing = event->timing;
  return true;
}

Error CpuEngine::createEvent(EventHandle *handle, bool timing) {
  auto *event = new Event(timing);
  std::lock_guard lock(eventMutex);
  events.insert(event);
  *handle = event;
  return cudaSuccess;
}

Error CpuEngine::destroyEvent(EventHandle handle) {
  auto *event = static_cast<Event *>(handle);
  std::lock_guard lock(eventMutex);
  if (!events.erase(event))
    return cudaErrorInvalidResourceHandle;
  delete event;
  return cudaSuccess;
}

Error CpuEngine::recordEvent(EventHandle handle, StreamHandle streamHandle) {
  Stream *stream = find(streamHandle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  auto *event = static_cast<Event *>(handle);
  auto *record = new EventRecord;
  auto *operation = new RecordOperation(record);
  std::lock_guard lock(eventMutex);
  if (!events.count(event)) {
    operation->drop();
    record->drop();
    return cudaErrorInvalidResourceHandle;
  }
  if (event->record)
    event->record->drop();
  event->record = record;
  record->sequence = scheduler.submit(*stream, operation);
  return cudaSuccess;
}

Error CpuEngine::synchronizeEvent(EventHandle handle) {
  EventRecord *record;
  if (!findRecord(handle, &record, nullptr))
    return cudaErrorInvalidResourceHandle;
  if (record) {
    scheduler.waitRecord(*record);
    record->drop();
  }
  return cudaSuccess;
}

Error CpuEngine::queryEvent(EventHandle handle) {
  EventRecord *record;
  if (!findRecord(handle, &record, nullptr))
    return cudaErrorInvalidResourceHandle;
  const bool done = !record || record->done.load(std::memory_order_acquire);
  if (record)
    record->drop();
  return done ? cudaSuccess : cudaErrorNotReady;
}

Error CpuEngine::elapsedTime(float *milliseconds, EventHandle start,
                             EventHandle end) {
  EventRecord *from = nullptr, *to = nullptr;
  bool fromTiming = false, toTiming = false;
  Error error = cudaSuccess;
  if (!findRecord(start, &from, &fromTiming) ||
      !findRecord(end, &to, &toTiming) || !from || !to || !fromTiming ||
      !toTiming)
    error = cudaErrorInvalidResourceHandle;
  else if (!from->done.load(std::memory_order_acquire) ||
           !to->done.load(std::memory_order_acquire))
    error = cudaErrorNotReady;
  else
    *milliseconds =
        std::chrono::duration<float, std::milli>(to->time - from->time).count();
  if (from)
    from->drop();
  if (to)
    to->drop();
  return error;
}

Error CpuEngine::synchronize() {
  scheduler.waitAll();
  return cudaSuccess;
}

Error CpuEngine::reset() {
  scheduler.waitAll();
  memory.releaseAll();
  std::lock_guard lock(eventMutex);
  for (Event *event : events)
    delete event;
  events.clear();
  return cudaSuccess;
}

} // namespace cufort::cpu
