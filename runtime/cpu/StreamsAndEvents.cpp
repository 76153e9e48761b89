//===- StreamsAndEvents.cpp - streams and events of the CPU ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/StreamNumbers.h"
#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/Instances.h"
#include "runtime/cpu/Watched.h"
#include <algorithm>

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

namespace {

// cudaEventCreateWithFlags
constexpr unsigned DisableTiming = 2, Interprocess = 4;

/// The most and the least urgent streams there are.
constexpr int Greatest = -5, Least = 0;

/// The per-thread default streams of one thread, by device; they end with it.
struct ThreadStreams {
  struct Own {
    Stream *stream = nullptr;
    uint64_t generation = 0;
  };
  ~ThreadStreams() {
    for (Own &own : streams)
      if (own.stream && own.stream->scheduler.exists(own.stream))
        own.stream->scheduler.destroyStream(own.stream);
  }
  std::vector<Own> streams;
};

} // namespace

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

Stream *CpuEngine::find(StreamHandle handle) {
  handle = handleOf(handle);
  if (!handle || handle == LegacyStream)
    return &scheduler.defaultStream();
  if (handle == PerThreadStream) {
    // An ordinary blocking stream of the thread.
    static thread_local ThreadStreams threads;
    const auto number = static_cast<size_t>(ordinal);
    if (threads.streams.size() <= number)
      threads.streams.resize(number + 1);
    ThreadStreams::Own &own = threads.streams[number];
    if (!own.stream || own.generation != generation)
      own = {scheduler.createStream(true, 0), generation};
    return own.stream;
  }
  auto *stream = static_cast<Stream *>(handle);
  return scheduler.exists(stream) ? stream : nullptr;
}

Stream *CpuEngine::findAny(StreamHandle handle) {
  if (Stream *stream = find(handle))
    return stream;
  handle = handleOf(handle);
  for (CpuEngine *engine : cpuEngines())
    if (engine->scheduler.exists(static_cast<Stream *>(handle)))
      return static_cast<Stream *>(handle);
  return nullptr;
}

Error CpuEngine::createStream(StreamHandle *stream, bool blocking,
                              int priority) {
  *stream = scheduler.createStream(
      blocking, std::max(Greatest, std::min(Least, priority)));
  return cudaSuccess;
}

void CpuEngine::priorityRange(int *least, int *greatest) {
  *least = Least;
  *greatest = Greatest;
}

Error CpuEngine::streamPriority(StreamHandle handle, int *priority) {
  Stream *stream = findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  *priority = stream->priority;
  return cudaSuccess;
}

Error CpuEngine::streamBlocking(StreamHandle handle, bool *blocking) {
  Stream *stream = findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  *blocking = stream->blocking;
  return cudaSuccess;
}

Error CpuEngine::streamDevice(StreamHandle handle, int *device) {
  Stream *stream = findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  *device = homeOf(*stream).ordinal;
  return cudaSuccess;
}

CpuEngine &CpuEngine::homeOf(const Stream &stream) {
  for (CpuEngine *engine : cpuEngines())
    if (&engine->scheduler == &stream.scheduler)
      return *engine;
  return *this;
}

/// Attributes of streams that nothing here depends on.
static bool isStreamHint(int attribute) {
  return attribute == AttributeAccessWindow ||
         attribute == AttributeSynchronization ||
         attribute == AttributeDomainMap || attribute == AttributeDomain;
}

Error CpuEngine::streamAttribute(StreamHandle handle, int attribute,
                                 AttributeValue *value) {
  Stream *stream = findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  *value = {};
  if (attribute == AttributePriority) {
    value->number = stream->priority;
    return cudaSuccess;
  }
  if (!isStreamHint(attribute))
    return cudaErrorInvalidValue;
  if (attribute == AttributeSynchronization)
    value->number = 1; // automatic
  CpuEngine &home = homeOf(*stream);
  std::lock_guard lock(home.mutex);
  if (auto found = home.streamHints.find(stream);
      found != home.streamHints.end())
    if (auto hint = found->second.find(attribute); hint != found->second.end())
      *value = hint->second;
  return cudaSuccess;
}

Error CpuEngine::setStreamAttribute(StreamHandle handle, int attribute,
                                    const AttributeValue &value) {
  Stream *stream = findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (attribute == AttributePriority) {
    stream->priority = std::clamp(value.number, Greatest, Least);
    return cudaSuccess;
  }
  if (!isStreamHint(attribute) || (attribute == AttributeSynchronization &&
                                   (value.number < 1 || value.number > 4)))
    return cudaErrorInvalidValue;
  CpuEngine &home = homeOf(*stream);
  std::lock_guard lock(home.mutex);
  home.streamHints[stream][attribute] = value;
  return cudaSuccess;
}

Error CpuEngine::destroyStream(StreamHandle handle) {
  if (!handle || handle == LegacyStream || handle == PerThreadStream)
    return cudaErrorInvalidResourceHandle;
  Stream *stream = findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (Error error = graphSet.leave(*stream); error != cudaSuccess)
    return error;
  forgetStreamNumber(stream);
  {
    CpuEngine &home = homeOf(*stream);
    std::lock_guard lock(home.mutex);
    if (!home.streamHints.empty())
      home.streamHints.erase(stream);
  }
  return stream->scheduler.destroyStream(stream)
             ? cudaSuccess
             : cudaErrorInvalidResourceHandle;
}

Error CpuEngine::synchronizeStream(StreamHandle handle) {
  Stream *stream = findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (Error error = graphSet.refuse(*stream); error != cudaSuccess)
    return error;
  if (stream == &scheduler.defaultStream() && !scheduler.idle()) {
    // Everything that the default stream's next operation would wait for.
    const RecordPointer record(new EventRecord);
    scheduler.submit(*stream, new RecordOperation(record.get()));
  }
  stream->scheduler.waitStream(*stream);
  return cudaSuccess;
}

Error CpuEngine::queryStream(StreamHandle handle) {
  Stream *stream = findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (Error error = graphSet.refuse(*stream); error != cudaSuccess)
    return error;
  Scheduler &home = stream->scheduler;
  return (stream == &home.defaultStream() ? home.idle() : home.idle(*stream))
             ? cudaSuccess
             : cudaErrorNotReady;
}

Error CpuEngine::waitEvent(StreamHandle handle, EventHandle event,
                           bool external) {
  Stream *stream = findAny(handle);
  EventRecord *found;
  Scheduler *home;
  if (!stream || !findRecord(event, &found, nullptr, &home))
    return cudaErrorInvalidResourceHandle;
  const RecordPointer record(found);
  Error error;
  if (graphSet.capturing() &&
      graphSet.capturedWait(*stream, event, external, &error))
    return error;
  if (!record || record->isDone())
    return cudaSuccess;
  if (!record->shared) {
    stream->scheduler.submit(
        *stream, new WaitOperation(record.get(), home != &stream->scheduler));
    return cudaSuccess;
  }
  if (error = startWatching(); error == cudaSuccess)
    stream->scheduler.submit(*stream, new SharedEventWait(record.get()));
  return error;
}

Error CpuEngine::callHost(StreamHandle handle, void (*function)(void *),
                          void *data) {
  Stream *stream = findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (!function)
    return cudaErrorInvalidValue;
  return submit(
      *stream, GraphNodeType::Host, false,
      [=] { return HostCall{function, data}; },
      [=] { return new HostCallOperation(function, data); });
}

/// The operation that \p wanted means; null for what needs none here, an error
/// for what is not valid.
Error CpuEngine::makeValueOperation(const ValueOperation &wanted,
                                    OperationPointer *result) {
  const bool waits = wanted.kind == ValueOperation::Wait32 ||
                     wanted.kind == ValueOperation::Wait64;
  const bool wide = wanted.kind == ValueOperation::Wait64 ||
                    wanted.kind == ValueOperation::Write64;
  // A wait has a condition and may flush; a write may be without a fence, which
  // costs nothing here.
  constexpr unsigned flush = 1u << 30;
  switch (wanted.kind) {
  case ValueOperation::Wait32:
  case ValueOperation::Wait64:
    if (wanted.flags & flush)
      return cudaErrorNotSupported;
    if (wanted.flags > ValueWait::NotAllBits)
      return cudaErrorInvalidValue;
    break;
  case ValueOperation::Write32:
  case ValueOperation::Write64:
    if (wanted.flags > 1)
      return cudaErrorInvalidValue;
    break;
  case ValueOperation::Barrier: // Operations of a stream are in order.
    return wanted.flags > 1 ? cudaErrorInvalidValue : cudaSuccess;
  case ValueOperation::Flush:
    return cudaErrorNotSupported;
  default:
    return cudaErrorInvalidValue;
  }
  const size_t bytes = wide ? 8 : 4;
  PointerDescription place{};
  if (reinterpret_cast<uintptr_t>(wanted.address) % bytes)
    return cudaErrorInvalidValue;
  if (Error error = describe(wanted.address, &place); error != cudaSuccess)
    return error;
  if (place.type == PointerDescription::Unregistered)
    return cudaErrorInvalidValue;
  if (Error error = checkRange(wanted.address, bytes); error != cudaSuccess)
    return error;
  if (!waits)
    result->reset(new ValueWrite(wanted.address, wanted.value, wide));
  else if (Error error = startWatching(); error != cudaSuccess)
    return error;
  else
    result->reset(
        new ValueWait(wanted.address, wanted.value, wide, wanted.flags));
  return cudaSuccess;
}

Error CpuEngine::operateOnValues(StreamHandle handle,
                                 const ValueOperation *operations,
                                 size_t count) {
  Stream *stream = findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  // There are no nodes of graphs for these.
  if (Error error = graphSet.refuse(*stream); error != cudaSuccess)
    return error;
  std::vector<OperationPointer> made(count);
  for (size_t i = 0; i < count; ++i)
    if (Error error = makeValueOperation(operations[i], &made[i]);
        error != cudaSuccess)
      return error;
  for (OperationPointer &each : made)
    if (each)
      stream->scheduler.submit(*stream, each.release());
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

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
  graphSet.forgetEvent(handle);
  RecordPointer record(new EventRecord);
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
  else if (!from->isDone() || !to->isDone())
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

//===----------------------------------------------------------------------===//
// The whole device
//===----------------------------------------------------------------------===//

Error CpuEngine::synchronize() {
  if (Error error = graphSet.refuseUnsafe(); error != cudaSuccess)
    return error;
  std::vector<std::unique_ptr<CufortTexture>> gone;
  {
    std::lock_guard lock(texturesMutex);
    gone.swap(retiredTextures);
  }
  scheduler.waitAll();
  return cudaSuccess;
}

Error CpuEngine::reset() {
  graphSet.reset();
  moduleSet.reset();
  scheduler.waitAll();
  scheduler.destroyStreams();
  {
    std::lock_guard lock(texturesMutex);
    retiredTextures.clear();
  }
  memory.releaseAll();
  std::lock_guard lock(mutex);
  for (Event *event : events)
    delete event;
  events.clear();
  streamHints.clear();
  destroyArrays();
  pools.resize(1);
  Pool &first = *pools.front(); // whose handle programs keep
  for (int &each : first.switches)
    each = 1;
  first.releaseThreshold = first.used = first.usedHigh = first.reservedHigh = 0;
  current = pools.front();
  peers.clear();
  ++generation;
  scheduler.recover();
  Engine::failed.store(cudaSuccess, std::memory_order_release);
  for (const Program *program : programs())
    if (Error error = restoreVariables(*program, ordinal); error != cudaSuccess)
      return error;
  return cudaSuccess;
}

void CpuEngine::shutDown() { scheduler.stop(); }

} // namespace cufort::cpu
