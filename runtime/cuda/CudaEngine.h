//===- CudaEngine.h - an NVIDIA device --------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_CUDAENGINE_H
#define CUFORT_RUNTIME_CUDA_CUDAENGINE_H

#include "runtime/core/Engine.h"
#include "runtime/cuda/Driver.h"
#include "runtime/cuda/LoadedProgram.h"
#include <memory>
#include <mutex>
#include <unordered_set>

namespace cufort::cuda {

class CudaEngine final : public Engine {
public:
  CudaEngine(const Driver &driver, CUdevice device, int ordinal);

  const DeviceProperties &properties() override { return description; }
  bool deviceMemoryIsHostMemory() const override { return false; }
  Error deviceAttribute(int attribute, int *value) override;

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

  Error createStream(StreamHandle *stream, bool blocking,
                     int priority) override;
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
  void shutDown() override {} // The driver ends with the process.

private:
  /// Makes the device's primary context, created at the first call, the
  /// calling thread's.
  Error bind();
  /// The program's module, loaded at the first call.
  Error load(const Program &program, LoadedProgram **result);
  Error functionOf(const KernelReference &kernel, LoadedProgram **program,
                   CUfunction *function);
  Error allowDynamicShared(LoadedProgram &program, unsigned kernel,
                           CUfunction function, uint32_t bytes);
  bool knownStream(StreamHandle stream);
  bool knownEvent(EventHandle event);

  const Driver &driver;
  const CUdevice device;
  const int ordinal;
  DeviceProperties description;
  std::mutex mutex;
  std::atomic<CUcontext> context{nullptr};
  std::vector<std::unique_ptr<LoadedProgram>> programs;
  std::unordered_set<StreamHandle> streams;
  std::unordered_set<EventHandle> events;
};

/// What the driver says of \p device.
DeviceProperties describeGpu(const Driver &driver, CUdevice device);

} // namespace cufort::cuda

#endif // CUFORT_RUNTIME_CUDA_CUDAENGINE_H
