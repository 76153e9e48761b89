//===- CpuEngine.h - the CPU as a device ------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_CPUENGINE_H
#define CUFORT_RUNTIME_CPU_CPUENGINE_H

#include "runtime/core/Engine.h"
#include "runtime/core/Environment.h"
#include "runtime/cpu/KernelOperation.h"
#include "runtime/cpu/Memory.h"
#include "runtime/cpu/Scheduler.h"
#include <mutex>
#include <unordered_set>

namespace cufort::cpu {

class Event;

class CpuEngine final : public Engine {
public:
  explicit CpuEngine(const Environment &environment);

  const DeviceProperties &properties() override { return description; }
  Error deviceAttribute(int attribute, int *value) override;
  bool deviceMemoryIsHostMemory() const override { return true; }

  Error allocate(void **memory, size_t bytes, MemoryKind kind) override;
  Error release(void *memory, MemoryKind kind) override;
  Error memoryInformation(size_t *free, size_t *total) override;
  Error describe(const void *pointer, PointerDescription *result) override;

  Error copy(void *to, const void *from, size_t bytes, CopyKind kind) override;
  Error copyAsync(void *to, const void *from, size_t bytes, CopyKind kind,
                  StreamHandle stream) override;
  Error copy2D(void *to, size_t toPitch, const void *from, size_t fromPitch,
               size_t width, size_t height, CopyKind kind, StreamHandle stream,
               bool async) override;
  Error copyStrided(const StridedView &to, const StridedView &from,
                    CopyKind kind) override;
  Error fill(void *to, const void *pattern, size_t patternBytes, size_t count,
             StreamHandle stream) override;
  Error fill2D(void *to, size_t pitch, unsigned char value, size_t width,
               size_t height, StreamHandle stream) override;

  Error launch(const KernelReference &kernel,
               const LaunchConfiguration &configuration,
               void *const *parameters) override;
  Error residentBlocks(const KernelReference &kernel, unsigned threads,
                       size_t dynamicSharedBytes, int *perMultiprocessor,
                       int *multiprocessors) override;
  Error attributes(const KernelReference &kernel,
                   KernelAttributes *result) override;
  Error setMaxDynamicShared(const KernelReference &kernel, int bytes) override;
  Error variableAddress(const VariableReference &variable,
                        void **address) override;

  Error createStream(StreamHandle *stream, bool blocking, int) override;
  Error destroyStream(StreamHandle stream) override;
  Error synchronizeStream(StreamHandle stream) override;
  Error queryStream(StreamHandle stream) override;
  Error waitEvent(StreamHandle stream, EventHandle event) override;
  Error callHost(StreamHandle stream, void (*function)(void *),
                 void *data) override;

  Error createEvent(EventHandle *event, bool timing) override;
  Error destroyEvent(EventHandle event) override;
  Error recordEvent(EventHandle event, StreamHandle stream) override;
  Error synchronizeEvent(EventHandle event) override;
  Error queryEvent(EventHandle event) override;
  Error elapsedTime(float *milliseconds, EventHandle start,
                    EventHandle end) override;

  Error synchronize() override;
  Error reset() override;
  void shutDown() override;

private:
  /// The stream behind a handle; null if there is none.
  Stream *find(StreamHandle handle);
  /// The current recording of \p handle, retained; false if there is no such
  /// event. The recording is null before the first.
  bool findRecord(EventHandle handle, EventRecord **record, bool *timing);
  /// Runs \p operation now if nothing is pending that it must wait for and it
  /// is small, else in the default stream; waits for it.
  void runAndWait(Operation *operation, bool small);
  bool pageable(const void *pointer);
  /// The code of \p kernel for this machine and blocks of shape \p block.
  BlockCode codeFor(const image::Kernel &kernel,
                    const image::Dim3 &block) const;

  const Environment &environment;
  DeviceProperties description;
  image::CpuLevel level;
  Memory memory;
  Scheduler scheduler;
  std::mutex eventMutex;
  std::unordered_set<Event *> events;
};

/// The highest level that this machine executes.
image::CpuLevel machineLevel();

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_CPUENGINE_H
