//===- StreamsAndEvents.cpp - streams and events of NVIDIA devices --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/StreamNumbers.h"
#include "runtime/cuda/CudaEngine.h"
#include "runtime/cuda/HandleTable.h"

namespace cufort::cuda {
namespace {

/// The handles of all devices: many calls take those of any device.
HandleTable &streams() {
  static auto *instance = new HandleTable;
  return *instance;
}

/// Events that have been recorded are marked.
HandleTable &events() {
  static auto *instance = new HandleTable;
  return *instance;
}

CUstream streamOf(StreamHandle stream) {
  return static_cast<CUstream>(handleOf(stream));
}

CUevent eventOf(EventHandle event) { return static_cast<CUevent>(event); }

} // namespace

#define BIND()                                                                 \
  if (Error bindError = bind(); bindError != cudaSuccess)                      \
  return bindError

bool CudaEngine::knownStream(StreamHandle stream) {
  if (!stream || stream == LegacyStream || stream == PerThreadStream)
    return true;
  return streams().has(handleOf(stream));
}

bool CudaEngine::isInUse() const { return context.load() != nullptr; }

bool CudaEngine::knownEvent(EventHandle event) { return events().has(event); }

void CudaEngine::forgetHandles() {
  streams().forget(ordinal);
  events().forget(ordinal);
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

Error CudaEngine::createStream(StreamHandle *stream, bool blocking,
                               int priority) {
  BIND();
  CUstream created = nullptr;
  if (CUresult code = driver.streamCreate(&created, blocking ? 0 : 1, priority))
    return errorOf(code);
  try {
    streams().enter(created, {ordinal});
  } catch (const std::bad_alloc &) {
    driver.streamDestroy(created);
    throw;
  }
  *stream = created;
  return cudaSuccess;
}

void CudaEngine::priorityRange(int *least, int *greatest) {
  *least = *greatest = 0;
  if (bind() == cudaSuccess)
    driver.contextPriorityRange(least, greatest);
}

Error CudaEngine::streamPriority(StreamHandle stream, int *priority) {
  BIND();
  if (!knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  return errorOf(driver.streamGetPriority(streamOf(stream), priority));
}

Error CudaEngine::operateOnValues(StreamHandle stream,
                                  const ValueOperation *operations,
                                  size_t count) {
  BIND();
  if (!knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  std::vector<BatchOperation> batch(count);
  for (size_t i = 0; i < count; ++i) {
    const ValueOperation &from = operations[i];
    BatchOperation &to = batch[i];
    to.operation = from.kind;
    if (from.kind == ValueOperation::Flush ||
        from.kind == ValueOperation::Barrier) {
      to.ordering.flags = from.flags;
    } else {
      to.value.address = reinterpret_cast<CUdeviceptr>(from.address);
      to.value.value = from.value;
      to.value.flags = from.flags;
    }
  }
  return errorOf(driver.streamBatch(
      streamOf(stream), static_cast<unsigned>(count), batch.data(), 0));
}

Error CudaEngine::streamBlocking(StreamHandle stream, bool *blocking) {
  BIND();
  if (!knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  unsigned flags = 0;
  const CUresult code = driver.streamGetFlags(streamOf(stream), &flags);
  *blocking = !(flags & 1);
  return errorOf(code);
}

Error CudaEngine::adoptStream(StreamHandle stream) {
  BIND();
  if (!knownStream(stream))
    streams().enter(handleOf(stream), {ordinal});
  return cudaSuccess;
}

Error CudaEngine::streamDevice(StreamHandle stream, int *number) {
  stream = handleOf(stream);
  *number = ordinal;
  if (!stream || stream == LegacyStream || stream == PerThreadStream)
    return cudaSuccess;
  const HandleTable::Entry entry = streams().find(stream);
  if (!entry)
    return cudaErrorInvalidResourceHandle;
  *number = entry.device;
  return cudaSuccess;
}

Error CudaEngine::streamAttribute(StreamHandle stream, int attribute,
                                  AttributeValue *value) {
  BIND();
  if (!knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  *value = {};
  return errorOf(driver.streamGetAttribute(streamOf(stream), attribute, value));
}

Error CudaEngine::setStreamAttribute(StreamHandle stream, int attribute,
                                     const AttributeValue &value) {
  BIND();
  if (!knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  return errorOf(
      driver.streamSetAttribute(streamOf(stream), attribute, &value));
}

Error CudaEngine::destroyStream(StreamHandle stream) {
  BIND();
  stream = handleOf(stream);
  const HandleTable::Entry entry = streams().take(stream);
  if (!entry)
    return cudaErrorInvalidResourceHandle;
  // Before the driver gives the handle to another stream.
  forgetStreamNumber(stream);
  const CUresult code = driver.streamDestroy(streamOf(stream));
  if (code)
    streams().putBack(stream, entry);
  return errorOf(code);
}

Error CudaEngine::synchronizeStream(StreamHandle stream) {
  BIND();
  if (!knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  const profile::Waiting waiting;
  return waited(driver.streamSynchronize(streamOf(stream)));
}

Error CudaEngine::queryStream(StreamHandle stream) {
  BIND();
  if (!knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  return errorOf(driver.streamQuery(streamOf(stream)));
}

Error CudaEngine::waitEvent(StreamHandle stream, EventHandle event,
                            bool external) {
  BIND();
  if (!knownStream(stream) || !knownEvent(event))
    return cudaErrorInvalidResourceHandle;
  return errorOf(
      driver.streamWaitEvent(streamOf(stream), eventOf(event), external));
}

Error CudaEngine::callHost(StreamHandle stream, void (*function)(void *),
                           void *data) {
  BIND();
  if (!knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  if (!function)
    return cudaErrorInvalidValue;
  return errorOf(driver.launchHostFunction(streamOf(stream), function, data));
}

Error CudaEngine::perform(StreamHandle, std::shared_ptr<const TeamWork>, bool,
                          bool) {
  return cudaErrorNotSupported;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

/// Makes an event of the driver's known, or destroys it.
Error CudaEngine::enterEvent(EventHandle event, bool recorded) {
  try {
    events().enter(event, {ordinal, recorded});
    return cudaSuccess;
  } catch (const std::bad_alloc &) {
    driver.eventDestroy(eventOf(event));
    return cudaErrorMemoryAllocation;
  }
}

Error CudaEngine::createEvent(EventHandle *event, unsigned flags) {
  BIND();
  CUevent created = nullptr;
  if (CUresult code = driver.eventCreate(&created, flags))
    return errorOf(code);
  if (Error error = enterEvent(created, /*recorded=*/false);
      error != cudaSuccess)
    return error;
  *event = created;
  return cudaSuccess;
}

Error CudaEngine::destroyEvent(EventHandle event) {
  BIND();
  const HandleTable::Entry entry = events().take(event);
  if (!entry)
    return cudaErrorInvalidResourceHandle;
  const CUresult code = driver.eventDestroy(eventOf(event));
  if (code)
    events().putBack(event, entry);
  return errorOf(code);
}

Error CudaEngine::recordEvent(EventHandle event, StreamHandle stream,
                              bool external) {
  BIND();
  if (!knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  if (!events().has(event, /*marked=*/true) && !events().mark(event))
    return cudaErrorInvalidResourceHandle;
  return errorOf(
      external
          ? driver.eventRecordWithFlags(eventOf(event), streamOf(stream), 1)
          : driver.eventRecord(eventOf(event), streamOf(stream)));
}

Error CudaEngine::eventRecorded(EventHandle event, bool *recorded) {
  const HandleTable::Entry entry = events().find(event);
  if (!entry)
    return cudaErrorInvalidResourceHandle;
  *recorded = entry.marked;
  return cudaSuccess;
}

Error CudaEngine::synchronizeEvent(EventHandle event) {
  BIND();
  if (!knownEvent(event))
    return cudaErrorInvalidResourceHandle;
  return waited(driver.eventSynchronize(eventOf(event)));
}

Error CudaEngine::queryEvent(EventHandle event) {
  BIND();
  if (!knownEvent(event))
    return cudaErrorInvalidResourceHandle;
  return errorOf(driver.eventQuery(eventOf(event)));
}

Error CudaEngine::elapsedTime(float *milliseconds, EventHandle start,
                              EventHandle end) {
  BIND();
  if (!knownEvent(start) || !knownEvent(end))
    return cudaErrorInvalidResourceHandle;
  return errorOf(
      driver.eventElapsedTime(milliseconds, eventOf(start), eventOf(end)));
}

//===----------------------------------------------------------------------===//
// Events of other processes
//===----------------------------------------------------------------------===//

Error CudaEngine::exportEvent(EventHandle event, IpcHandle *handle) {
  BIND();
  if (!knownEvent(event))
    return cudaErrorInvalidResourceHandle;
  return errorOf(driver.ipcGetEventHandle(handle, eventOf(event)));
}

Error CudaEngine::importEvent(const IpcHandle &handle, EventHandle *event) {
  BIND();
  CUevent opened = nullptr;
  if (CUresult code = driver.ipcOpenEventHandle(&opened, handle))
    return errorOf(code);
  // The other process may have recorded it.
  if (Error error = enterEvent(opened, /*recorded=*/true); error != cudaSuccess)
    return error;
  *event = opened;
  return cudaSuccess;
}

} // namespace cufort::cuda
