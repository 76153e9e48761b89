//===- Copies.cpp - copies and fills of a CPU device ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Check.h"
#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/memory/CopyOperation.h"
#include "runtime/cpu/memory/HostGuard.h"
#include <cstring>

namespace cufort::cpu {

/// Copies up to this size are done by the calling thread when the device is
/// idle; larger ones by all cores.
static constexpr size_t SmallCopyBytes = size_t(1) << 20;

/// Runs \p operation of \p stream, which has nothing to do, on this thread.
static void runAtOnce(const Stream &stream, Operation &operation) {
  const guard::DeviceAccess access;
  Scheduler::order(stream, operation);
  Scheduler::describe(stream, operation);
  profile::Work *profiled = operation.profiled.get();
  if (profiled)
    profiled->begin = profile::now();
  {
    const check::Doing doing(operation.work);
    operation.run(0, operation.units, Participant::current());
  }
  if (profile::Recorder *recorder = profile::recorder(); profiled && recorder) {
    profiled->end = profile::now();
    recorder->ended(*profiled);
  }
}

void CpuEngine::runAndWait(Operation *operation, bool small) {
  Stream &stream = scheduler.defaultStream();
  if (small && scheduler.idle()) {
    const OperationPointer owner(operation);
    deliverOutput();
    runAtOnce(stream, *operation);
    check::hostKnows(operation->work);
    return;
  }
  scheduler.waitOperation(stream, scheduler.submit(stream, operation));
}

static bool validKind(CopyKind kind) {
  return static_cast<unsigned>(kind) <=
         static_cast<unsigned>(CopyKind::Default);
}

/// memmove that survives an address that is nobody's.
static Error copyNow(void *to, const void *from, size_t bytes) {
  check::copied(to, from, bytes);
  struct Copy {
    void *to;
    const void *from;
    size_t bytes;
  } copy{to, from, bytes};
  Fault fault;
  const guard::DeviceAccess access;
  return runGuarded(
             [](void *pointer) {
               const auto &c = *static_cast<Copy *>(pointer);
               std::memmove(c.to, c.from, c.bytes);
             },
             &copy, &fault)
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

/// Runs what is done on the calling thread, for the profile as well.
template <typename Run> void CpuEngine::recordNow(profile::Work work, Run run) {
  profile::Recorder *recorder = profile::recorder();
  if (!recorder)
    return run();
  work.device = ordinal;
  profile::runNow(*recorder, work, run);
}

Error CpuEngine::copy(void *to, const void *from, size_t bytes, CopyKind kind) {
  if (!bytes)
    return cudaSuccess;
  if (!validKind(kind))
    return cudaErrorInvalidMemcpyDirection;
  if (!to || !from)
    return cudaErrorInvalidValue;
  for (const void *side : {static_cast<const void *>(to), from})
    if (Error error = checkRange(side, bytes); error != cudaSuccess)
      return error;
  if (Error error = graphSet.refuseImplicit(); error != cudaSuccess)
    return error;
  if (bytes <= SmallCopyBytes && scheduler.idle()) {
    deliverOutput();
    check::WorkPointer work;
    if (check::checking())
      work = check::submitted(Scheduler::factsOf(scheduler.defaultStream()),
                              check::WorkKind::Work);
    Error error = cudaSuccess;
    recordNow({.kind = profile::WorkKind::Copy,
               .to = to,
               .from = from,
               .bytes = bytes},
              [&] {
                const check::Doing doing(work);
                error = copyNow(to, from, bytes);
              });
    check::hostKnows(work);
    return error;
  }
  runAndWait(new CopyOperation(to, from, bytes), false);
  return cudaSuccess;
}

Error CpuEngine::copyAsync(void *to, const void *from, size_t bytes,
                           CopyKind kind, StreamHandle handle) {
  Stream *stream = findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (!bytes)
    return cudaSuccess;
  if (!validKind(kind))
    return cudaErrorInvalidMemcpyDirection;
  if (!to || !from)
    return cudaErrorInvalidValue;
  for (const void *side : {static_cast<const void *>(to), from})
    if (Error error = checkRange(side, bytes); error != cudaSuccess)
      return error;
  // As in CUDA: pageable memory may be reused as soon as the call returns.
  return submit(
      *stream, GraphNodeType::Copy, pageable(to, from, kind),
      [=] { return lineCopy(to, from, bytes, kind); },
      [=] { return new CopyOperation(to, from, bytes); });
}

Error CpuEngine::copy2D(void *to, size_t toPitch, const void *from,
                        size_t fromPitch, size_t width, size_t height,
                        CopyKind kind, StreamHandle handle, bool async) {
  if (!width || !height)
    return cudaSuccess;
  BoxCopy box;
  box.to.memory = to;
  box.to.pitch = toPitch;
  box.from.memory = const_cast<void *>(from);
  box.from.pitch = fromPitch;
  box.widthBytes = width;
  box.height = height;
  box.kind = kind;
  return copyBox(box, handle, async);
}

Error CpuEngine::copyStrided(const StridedView &to, const StridedView &from,
                             CopyKind kind) {
  const size_t elements = to.elements();
  if (!elements)
    return cudaSuccess;
  if (!to.base || !from.base)
    return cudaErrorInvalidValue;
  StridedView t = to, f = from;
  simplify(t, f);
  if (t.rank == 0)
    return copy(t.base, f.base, t.elementBytes, kind);
  runAndWait(new StridedCopyOperation(t, f),
             elements * to.elementBytes <= SmallCopyBytes);
  return cudaSuccess;
}

/// The parameters of a captured fill; patterns that cudaMemsetParams cannot
/// hold have none.
static NodeWork describeFill(void *to, const void *pattern, size_t bytes,
                             size_t count) {
  if (bytes != 1 && bytes != 2 && bytes != 4)
    return {};
  unsigned value = 0;
  std::memcpy(&value, pattern, bytes);
  return FillParameters{to, 0, value, static_cast<unsigned>(bytes), count, 1};
}

Error CpuEngine::fill(void *to, const void *pattern, size_t patternBytes,
                      size_t count, StreamHandle handle) {
  Stream *stream = findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (!count || !patternBytes)
    return cudaSuccess;
  size_t bytes;
  if (!to || __builtin_mul_overflow(patternBytes, count, &bytes))
    return cudaErrorInvalidValue;
  if (Error error = checkRange(to, bytes); error != cudaSuccess)
    return error;
  if (bytes <= SmallCopyBytes && stream->scheduler.idle() &&
      !graphSet.capturing()) {
    FillOperation operation(to, pattern, patternBytes, count);
    runAtOnce(*stream, operation);
    return cudaSuccess;
  }
  return submit(
      *stream, GraphNodeType::Fill, false,
      [=] { return describeFill(to, pattern, patternBytes, count); },
      [to, kept = std::string(static_cast<const char *>(pattern), patternBytes),
       count] {
        return new FillOperation(to, kept.data(), kept.size(), count);
      });
}

Error CpuEngine::fill2D(void *to, size_t pitch, unsigned char value,
                        size_t width, size_t height, StreamHandle handle) {
  Stream *stream = findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (!width || !height)
    return cudaSuccess;
  if (width > pitch && height > 1)
    return cudaErrorInvalidPitchValue;
  if (!to)
    return cudaErrorInvalidValue;
  if (Error error = checkRows(to, pitch, height, width); error != cudaSuccess)
    return error;
  return submit(
      *stream, GraphNodeType::Fill, false,
      [=] { return FillParameters{to, pitch, value, 1, width, height}; },
      [=] { return new RowFillOperation(to, pitch, value, width, height); });
}

} // namespace cufort::cpu
