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
#include "runtime/cpu/CpuModules.h"
#include "runtime/cpu/Graphs.h"
#include "runtime/cpu/KernelOperation.h"
#include "runtime/cpu/Memory.h"
#include "runtime/cpu/Scheduler.h"
#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

struct CufortTexture;

namespace cufort::cpu {

class Event;
struct Array;
struct Mipmaps;

/// The memory of an array that is there.
char *arrayMemory(ArrayHandle array, size_t *pitch);

class CpuEngine final : public Engine, private Scheduler::Observer {
public:
  /// Device \p ordinal of \p count that share the machine.
  CpuEngine(const Environment &environment, unsigned ordinal, unsigned count);

  /// Starts the workers, once.
  void start() { scheduler.start(); }

  const DeviceProperties &properties() override { return description; }
  std::string problem() override;
  Error deviceAttribute(int attribute, int *value) override;
  bool deviceMemoryIsHostMemory() const override { return true; }

  Error limit(int limit, size_t *value) override;
  Error setLimit(int limit, size_t value) override;
  Error cacheConfiguration(int *configuration) override;
  Error resetPersistingCache() override { return cudaSuccess; } // none
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

  Error profile(bool) override { return cudaSuccess; } // There are none.

  Graphs &graphs() override { return graphSet; }
  Modules &modules() override { return moduleSet; }
  int number() const { return ordinal; }

  Error synchronize() override;
  void deliverOutput() override;
  bool mayHaveOutput() const override { return true; }
  Error reset() override;
  void shutDown() override;

private:
  friend class CpuGraphs;

  void failed(const Operation &operation, const Fault &fault) override;

  /// The stream of this device behind a handle; null if there is none.
  Stream *find(StreamHandle handle);
  /// The same, of any device: for everything but launches.
  Stream *findAny(StreamHandle handle);
  /// The device that \p stream is of.
  CpuEngine &homeOf(const Stream &stream);
  /// Of an event of any device the current recording, retained, and the
  /// scheduler that completes it; false if there is no such event. The
  /// recording is null before the first.
  bool findRecord(EventHandle handle, EventRecord **record, bool *timing,
                  Scheduler **scheduler = nullptr);
  /// Runs \p operation now if nothing is pending that it must wait for and it
  /// is small, else in the default stream; waits for it.
  void runAndWait(Operation *operation, bool small);
  /// Appends the operation that \p make() returns to \p stream and, if
  /// \p wait, waits for it; while the stream is captured, adds a node of type
  /// \p type that makes such an operation at every launch and whose parameters
  /// are what \p work makes.
  template <typename Work, typename Make>
  Error submit(Stream &stream, GraphNodeType type, bool wait, const Work &work,
               const Make &make);
  /// Whether host memory that is not page-locked takes part in a copy.
  static bool pageable(const void *to, const void *from, CopyKind kind);
  /// cudaErrorInvalidValue if \p bytes at \p pointer leave its allocation.
  static Error checkRange(const void *pointer, size_t bytes);
  /// The same for \p rows rows of \p width bytes, \p pitch bytes apart.
  static Error checkRows(const void *pointer, size_t pitch, size_t rows,
                         size_t width);
  /// The memory and pitch of one side of a box; an error if it leaves it.
  Error resolve(const BoxSide &side, const BoxCopy &box, StridedView *view);
  /// What a launch adds to a stream.
  Error makeLaunch(const KernelReference &reference,
                   const LaunchConfiguration &configuration,
                   void *const *parameters, Operation **operation);
  void destroyArrays();
  Error freeArray(Array *array);
  /// What kernels read of an array.
  Error viewArray(ArrayHandle array, CufortTexture *texture);
  std::shared_ptr<Pool> findPool(PoolHandle handle);
  /// How many blocks a cluster of \p kernel may have.
  unsigned mostClusterBlocks(const image::Kernel &kernel);
  /// The code of \p kernel for this machine and blocks of shape \p block.
  BlockCode codeFor(const image::Kernel &kernel,
                    const image::Dim3 &block) const;

  const Environment &environment;
  const int ordinal;
  DeviceProperties description;
  image::CpuLevel level;
  Memory memory;
  Scheduler scheduler;
  CpuGraphs graphSet{*this};
  CpuModules moduleSet{*this};
  std::mutex mutex; ///< guards what follows
  std::unordered_set<Event *> events;
  std::unordered_set<Array *> arrays;
  std::unordered_set<Mipmaps *> mipmapSets;
  /// Attributes of streams that are hints, to be read back.
  std::unordered_map<Stream *, std::map<int, AttributeValue>> streamHints;
  std::vector<std::shared_ptr<Pool>> pools; ///< the first is the default one
  std::shared_ptr<Pool> current;
  std::vector<bool> peers; ///< enabled ones, by number
  size_t limits[7];
  /// Kernels whose clusters may be large.
  std::unordered_set<const image::Kernel *> largeClusters;
  std::atomic<bool> anyLargeClusters{false};
  std::atomic<uint64_t> generation{0}; ///< how often the device was reset
};

/// The CPU's devices, in order.
const std::vector<CpuEngine *> &cpuEngines();

/// The highest level that this machine executes.
image::CpuLevel machineLevel();

template <typename Work, typename Make>
Error CpuEngine::submit(Stream &stream, GraphNodeType type, bool wait,
                        const Work &work, const Make &make) {
  if (graphSet.capturing())
    if (Error error;
        graphSet.captured(stream, type, [=] { return make(); }, work(), &error))
      return error;
  const uint64_t sequence = stream.scheduler.submit(stream, make());
  if (wait)
    stream.scheduler.waitOperation(stream, sequence);
  return cudaSuccess;
}

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_CPUENGINE_H
