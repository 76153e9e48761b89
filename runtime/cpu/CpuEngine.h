//===- CpuEngine.h - the CPU as a device ------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_CPUENGINE_H
#define CUFORT_RUNTIME_CPU_CPUENGINE_H

#include "image/Texture.h"
#include "runtime/core/engine/Engine.h"
#include "runtime/core/process/Environment.h"
#include "runtime/cpu/graphs/Graphs.h"
#include "runtime/cpu/launches/KernelOperation.h"
#include "runtime/cpu/memory/Memory.h"
#include "runtime/cpu/modules/CpuModules.h"
#include "runtime/cpu/streams/Scheduler.h"
#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

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

#define CUFORT_ENGINE(result, name, parameters) result name parameters override;
#include "runtime/core/engine/Engine.def"

  int number() const { return ordinal; }

  /// A launch that a thread of \p parent's kernel makes, of the kernel called
  /// \p name in the same program; \p parameters is laid out as on a GPU. It
  /// runs behind \p parent, with \p tail behind all others of that grid.
  Error launchFromDevice(LaunchOperation &parent, const char *name,
                         const LaunchConfiguration &configuration,
                         const char *parameters, bool tail);

  Memory &memoryOfDevice() { return memory; }

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
  Error makeValueOperation(const ValueOperation &wanted,
                           OperationPointer *result);
  Error addEvent(EventHandle *handle, unsigned flags,
                 std::shared_ptr<SharedEvent> shared);
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
  /// Of a launch, beside the kernel's own.
  uint32_t mostDynamicShared(const image::Kernel &kernel);
  Error checkAsOnGpu(const KernelReference &reference,
                     const LaunchConfiguration &configuration);
  Error makeLaunch(const KernelReference &reference,
                   const LaunchConfiguration &configuration,
                   void *const *parameters, Operation **operation);
  // Under the lock.
  void destroyArrays();
  void destroyEvents();
  Error freeArray(Array *array);
  /// What kernels read of an array.
  Error viewArray(ArrayHandle array, CufortTexture *texture);
  std::shared_ptr<Pool> findPool(PoolHandle handle);
  static Error makePoolFile(int *file);
  /// Maps what \p handle describes, as a part of \p pool if that is not null.
  Error openShared(const IpcHandle &handle, void **memory,
                   const std::shared_ptr<Pool> &pool);
  /// How many blocks a cluster of \p kernel may have.
  unsigned mostClusterBlocks(const image::Kernel &kernel);
  /// The clusters of a launch: what \p configuration names, what the kernel has
  /// from cluster_dims (\p kernel is this device's instance of it), or single
  /// blocks.
  Error clusterFor(const KernelReference &reference,
                   const image::Kernel &kernel,
                   const LaunchConfiguration &configuration,
                   image::Dim3 *cluster);
  template <typename Run> void recordNow(profile::Work work, Run run);
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
  std::mutex texturesMutex;
  /// Descriptions of objects that are gone, which kernels under way may still
  /// read; they end when the device has been waited for.
  std::vector<std::unique_ptr<CufortTexture[]>> retiredTextures;
  std::mutex mutex; ///< guards what follows
  std::unordered_set<Event *> events;
  std::unordered_set<Array *> arrays;
  std::unordered_set<Mipmaps *> mipmapSets;
  /// Attributes of streams that are hints, to be read back.
  std::unordered_map<Stream *, std::map<int, AttributeValue>> streamHints;
  std::vector<std::shared_ptr<Pool>> pools; ///< the first is the default one
  std::shared_ptr<Pool> current;
  std::vector<bool> peers; ///< enabled ones, by number
  size_t limits[9];
  /// Kernels whose clusters may be large.
  std::unordered_set<const image::Kernel *> largeClusters;
  /// Dynamic shared memory that programs have asked for (CUFORT_CPU_STRICT).
  std::unordered_map<const image::Kernel *, uint32_t> allowedShared;
  std::atomic<bool> anyLargeClusters{false};
  std::atomic<uint64_t> generation{0}; ///< how often the device was reset
};

/// The CPU's devices, in order.
const std::vector<CpuEngine *> &cpuEngines();

/// The highest level that this machine executes.
image::CpuLevel machineLevel();
/// The bits of vectors of code for \p level.
unsigned vectorBits(image::CpuLevel level);

template <typename Work, typename Make>
Error CpuEngine::submit(Stream &stream, GraphNodeType type, bool wait,
                        const Work &work, const Make &make) {
  if (graphSet.capturing())
    if (Error error;
        graphSet.captured(stream, type, [=] { return make(); }, work(), &error))
      return error;
  const uint64_t sequence = stream.scheduler.submit(stream, make(), true);
  if (wait)
    stream.scheduler.waitOperation(stream, sequence);
  return cudaSuccess;
}

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_CPUENGINE_H
