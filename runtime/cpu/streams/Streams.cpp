//===- Streams.cpp - streams of the CPU ---------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/StreamNumbers.h"
#include "runtime/core/process/ThreadObject.h"
#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/launches/TeamOperation.h"
#include "runtime/cpu/modules/Instances.h"
#include "runtime/cpu/streams/Watched.h"
#include <algorithm>

namespace cufort::cpu {

namespace {

/// The most and the least urgent streams there are.
constexpr int Greatest = -5, Least = 0;

/// The per-thread default streams of one thread, by device; they end with it,
/// but for those that a reset of their device has ended: another stream may
/// have the address of such a one.
struct ThreadStreams {
  struct Own {
    Stream *stream = nullptr;
    Scheduler *scheduler = nullptr;
    const std::atomic<uint64_t> *resets = nullptr; ///< of the device by now
    uint64_t generation = 0;                       ///< and when it was made
  };
  ~ThreadStreams() {
    for (const Own &own : streams)
      if (own.stream && *own.resets == own.generation)
        own.scheduler->destroyStream(own.stream);
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
    ThreadStreams &threads = ThreadObject<ThreadStreams>::get();
    const auto number = static_cast<size_t>(ordinal);
    if (threads.streams.size() <= number)
      threads.streams.resize(number + 1);
    ThreadStreams::Own &own = threads.streams[number];
    if (!own.stream || own.generation != generation)
      own = {scheduler.createStream(true, 0), &scheduler, &generation,
             generation};
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

Error CpuEngine::adoptStream(StreamHandle handle) {
  // All streams of the CPU are ours.
  return findAny(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
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
  if (!(stream == &home.defaultStream() ? home.idle() : home.idle(*stream)))
    return cudaErrorNotReady;
  if (check::checking())
    check::hostKnowsStream(Scheduler::factsOf(*stream));
  return cudaSuccess;
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
  if (error = graphSet.checkWait(event); error != cudaSuccess)
    return error;
  if (external) // of captures only
    return cudaErrorIllegalState;
  if (record && check::checking())
    check::streamWaits(Scheduler::factsOf(*stream), record->work);
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

Error CpuEngine::perform(StreamHandle handle,
                         std::shared_ptr<const TeamWork> work, bool small,
                         bool wait) {
  Stream *stream = findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (work->waitsForProcesses())
    if (Error error = startWatching(); error != cudaSuccess)
      return error;
  if (wait) // which a captured stream cannot
    if (Error error = graphSet.refuse(*stream); error != cudaSuccess)
      return error;
  const unsigned threads = small ? 1 : stream->scheduler.threads();
  return submit(
      *stream, GraphNodeType::Host, wait, [] { return std::monostate(); },
      [=]() -> Operation * {
        if (work->inSteps())
          return new SteppedOperation(work->begin(), threads);
        return new TeamOperation(work, threads);
      });
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
  std::vector<OperationPointer> made(count);
  for (size_t i = 0; i < count; ++i)
    if (Error error = makeValueOperation(operations[i], &made[i]);
        error != cudaSuccess)
      return error;
  for (size_t i = 0; i < count; ++i) {
    if (!made[i])
      continue;
    const auto make = [this, wanted = operations[i]] {
      OperationPointer operation;
      makeValueOperation(wanted, &operation);
      return operation.release();
    };
    if (Error error;
        graphSet.capturing() &&
        graphSet.captured(*stream, GraphNodeType::Values, make, {}, &error)) {
      if (error != cudaSuccess)
        return error;
    } else {
      stream->scheduler.submit(*stream, made[i].release());
    }
  }
  return cudaSuccess;
}

} // namespace cufort::cpu
