//===- CudaEngine.h - an NVIDIA device --------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_CUDAENGINE_H
#define CUFORT_RUNTIME_CUDA_CUDAENGINE_H

#include "runtime/core/Engine.h"
#include "runtime/cuda/CudaGraphs.h"
#include "runtime/cuda/CudaModules.h"
#include "runtime/cuda/Driver.h"
#include "runtime/cuda/KernelOutput.h"
#include "runtime/cuda/LoadedProgram.h"
#include "runtime/cuda/StridedKernel.h"
#include <memory>
#include <mutex>

namespace cufort::cuda {

class CudaEngine final : public Engine {
public:
  CudaEngine(const Driver &driver, CUdevice device, int ordinal);

  const DeviceProperties &properties() override { return description; }
  std::string problem() override;
  bool deviceMemoryIsHostMemory() const override { return false; }
  Error deviceAttribute(int attribute, int *value) override;

  Error limit(int limit, size_t *value) override;
  Error setLimit(int limit, size_t value) override;
  Error cacheConfiguration(int *configuration) override;
  Error resetPersistingCache() override;
  Error setCacheConfiguration(int configuration) override;
  Error setCacheConfiguration(const KernelReference &kernel,
                              int configuration) override;

  Error allocate(void **memory, size_t bytes, MemoryKind kind) override;
  Error release(void *memory, MemoryKind kind) override;
  Error allocateHost(void **memory, size_t bytes, unsigned flags) override;
  Error registerHost(void *memory, size_t bytes, unsigned flags) override;
  Error unregisterHost(void *memory) override;
  Error hostFlags(const void *memory, unsigned *flags) override;
  Error memoryInformation(size_t *free, size_t *total) override;
  Error addressRange(const void *pointer, void **begin, size_t *bytes) override;
  Error describe(const void *pointer, PointerDescription *result) override;
  Error prefetch(const void *memory, size_t bytes, int device,
                 StreamHandle stream) override;
  Error advise(const void *memory, size_t bytes, int advice,
               int device) override;
  Error rangeAttribute(void *data, size_t dataBytes, int attribute,
                       const void *memory, size_t bytes) override;
  Error attach(StreamHandle stream, void *memory, size_t bytes,
               unsigned flags) override;

  Error allocateAsync(void **memory, size_t bytes, PoolHandle pool,
                      StreamHandle stream) override;
  Error releaseAsync(void *memory, StreamHandle stream) override;
  Error createPool(PoolHandle *pool) override;
  Error destroyPool(PoolHandle pool) override;
  Error defaultPool(PoolHandle *pool) override;
  Error currentPool(PoolHandle *pool) override;
  Error setCurrentPool(PoolHandle pool) override;
  Error trimPool(PoolHandle pool, size_t bytesToKeep) override;
  Error poolAttribute(PoolHandle pool, int attribute, void *value) override;
  Error setPoolAttribute(PoolHandle pool, int attribute,
                         const void *value) override;
  Error poolAccess(PoolHandle pool, int device, int *flags) override;
  Error setPoolAccess(PoolHandle pool, int device, int flags) override;

  Error createArray(ArrayHandle *array, const ArrayShape &shape) override;
  Error destroyArray(ArrayHandle array) override;
  Error arrayShape(ArrayHandle array, ArrayShape *shape) override;
  Error createMipmaps(MipmapHandle *mipmaps, const ArrayShape &shape,
                      unsigned levels) override;
  Error destroyMipmaps(MipmapHandle mipmaps) override;
  Error mipmapLevel(MipmapHandle mipmaps, unsigned level,
                    ArrayHandle *array) override;
  Error copyBox(const BoxCopy &copy, StreamHandle stream, bool async) override;

  Error createTexture(TextureHandle *texture,
                      const TextureDescription &description) override;
  Error destroyTexture(TextureHandle texture) override;
  Error createSurface(TextureHandle *surface, ArrayHandle array) override;
  Error destroySurface(TextureHandle surface) override;

  Error canAccessPeer(Engine &peer, bool *result) override;
  Error peerAttribute(Engine &peer, int attribute, int *value) override;
  Error enablePeer(Engine &peer) override;
  Error disablePeer(Engine &peer) override;
  Error copyPeer(void *to, Engine &toDevice, const void *from,
                 Engine &fromDevice, size_t bytes, StreamHandle stream,
                 bool async) override;

  Error exportMemory(void *memory, IpcHandle *handle) override;
  Error importMemory(const IpcHandle &handle, void **memory) override;
  Error closeMemory(void *memory) override;
  Error exportEvent(EventHandle event, IpcHandle *handle) override;
  Error importEvent(const IpcHandle &handle, EventHandle *event) override;

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
  Error maxClusterSize(const KernelReference &kernel,
                       const LaunchConfiguration &configuration,
                       int *blocks) override;
  Error residentClusters(const KernelReference &kernel,
                         const LaunchConfiguration &configuration,
                         int *clusters) override;
  Error allowLargeClusters(const KernelReference &kernel,
                           bool allowed) override;
  Error attributes(const KernelReference &kernel,
                   KernelAttributes *result) override;
  Error setMaxDynamicShared(const KernelReference &kernel, int bytes) override;
  Error variableAddress(const VariableReference &variable,
                        void **address) override;

  Error createStream(StreamHandle *stream, bool blocking,
                     int priority) override;
  void priorityRange(int *least, int *greatest) override;
  Error streamPriority(StreamHandle stream, int *priority) override;
  Error streamBlocking(StreamHandle stream, bool *blocking) override;
  Error destroyStream(StreamHandle stream) override;
  Error streamDevice(StreamHandle stream, int *device) override;
  Error streamAttribute(StreamHandle stream, int attribute,
                        AttributeValue *value) override;
  Error setStreamAttribute(StreamHandle stream, int attribute,
                           const AttributeValue &value) override;
  Error synchronizeStream(StreamHandle stream) override;
  Error queryStream(StreamHandle stream) override;
  Error waitEvent(StreamHandle stream, EventHandle event,
                  bool external) override;
  Error callHost(StreamHandle stream, void (*function)(void *),
                 void *data) override;

  Error createEvent(EventHandle *event, unsigned flags) override;
  Error destroyEvent(EventHandle event) override;
  Error recordEvent(EventHandle event, StreamHandle stream,
                    bool external) override;
  Error eventRecorded(EventHandle event, bool *recorded) override;
  Error synchronizeEvent(EventHandle event) override;
  Error queryEvent(EventHandle event) override;
  Error elapsedTime(float *milliseconds, EventHandle start,
                    EventHandle end) override;

  Error profile(bool start) override;

  Graphs &graphs() override { return graphSet; }
  Modules &modules() override { return moduleSet; }

  Error synchronize() override;
  void deliverOutput() override { deliver(/*over=*/false); }
  bool mayHaveOutput() const override { return hasOutput.load(); }
  Error reset() override;
  void shutDown() override {} // The driver ends with the process.

private:
  friend class CudaGraphs;
  friend class CudaModules;

  /// Makes the device's primary context, created at the first call, the
  /// calling thread's.
  Error bind();
  /// The program's module, loaded at the first call.
  Error load(const Program &program, LoadedProgram **result);
  Error functionOf(const KernelReference &kernel, LoadedProgram **program,
                   CUfunction *function);
  /// The kernel that the driver knows as \p function; empty if none of them.
  KernelReference kernelOf(CUfunction function);
  Error launchClusters(CUfunction function,
                       const LaunchConfiguration &configuration,
                       void **parameters);
  Error allowDynamicShared(LoadedProgram &program, unsigned kernel,
                           CUfunction function, uint32_t bytes);
  /// The channel for what the program's kernels print, if they do.
  Error openOutput(const image::Image &image, LoadedProgram &program);
  /// The same for a module that the program has loaded itself; null in \p
  /// output where its kernels do not print.
  Error openModuleOutput(CUmodule module, KernelOutput **output);
  void closeModuleOutput(KernelOutput *output);
  /// Prints what kernels have written; \p over: no kernel runs or will run.
  void deliver(bool over);
  /// The status of a call that has waited for kernels, once their output is
  /// printed.
  Error waited(CUresult result);
  std::vector<KernelOutput *> openOutputs();
  Error setOutputBytes(size_t bytes);
  /// Whether the handle is of any of our devices.
  static bool knownStream(StreamHandle stream);
  static bool knownEvent(EventHandle event);
  Error enterEvent(EventHandle event, bool recorded);
  /// Of a reset: this device's streams and events are gone.
  void forgetHandles();
  void forgetArrays();
  CUcontext contextOf(Engine &engine, Error *error);
  /// A strided copy whose rows the driver would take one after the other: by
  /// a kernel, and packed on the side of the host.
  Error copyByKernel(const StridedView &to, const StridedView &from,
                     CopyKind kind);

  const Driver &driver;
  const CUdevice device;
  const int ordinal;
  DeviceProperties description;
  std::mutex mutex;
  std::atomic<CUcontext> context{nullptr};
  std::vector<std::unique_ptr<LoadedProgram>> programs;
  /// programs[0] once it can be used, for launches without the lock: nearly
  /// all executables hold one image.
  std::atomic<LoadedProgram *> firstProgram{nullptr};
  std::vector<std::unique_ptr<KernelOutput>> outputs;
  std::atomic<bool> hasOutput{false};
  CudaGraphs graphSet{*this};
  CudaModules moduleSet{*this};
  StridedKernel stridedKernel;
};

/// What the driver says of \p device.
DeviceProperties describeGpu(const Driver &driver, CUdevice device);

} // namespace cufort::cuda

#endif // CUFORT_RUNTIME_CUDA_CUDAENGINE_H
