//===- Engine.h - what core asks of an engine -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One Engine object is one device. Everything above (core, api, fortran) uses
// devices through this interface only and knows neither the CPU nor the
// NVIDIA engine. All functions may be called from any thread at any time.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_ENGINE_H
#define CUFORT_RUNTIME_CORE_ENGINE_H

#include "runtime/core/Copies.h"
#include "runtime/core/Error.h"
#include "runtime/core/Registry.h"
#include "runtime/core/Strided.h"
#include "runtime/core/Textures.h"
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace cufort {

/// A cudaStream_t: null and LegacyStream are the legacy default stream, which
/// orders with all blocking streams; everything else comes from createStream.
using StreamHandle = void *;
inline const StreamHandle LegacyStream = reinterpret_cast<void *>(1);
inline const StreamHandle PerThreadStream = reinterpret_cast<void *>(2);

/// A cudaEvent_t.
using EventHandle = void *;

/// A cudaMemPool_t.
using PoolHandle = void *;

/// A cudaIpcMemHandle_t or cudaIpcEventHandle_t.
struct IpcHandle {
  char bytes[64];
};

class Graphs;
class Modules;
union AttributeValue;

enum class MemoryKind {
  Device,
  Managed, ///< accessible on host and device
  Pinned   ///< host memory that the device can reach
};

/// What is known of an address; cudaMemoryType's numbers.
struct PointerDescription {
  enum Type { Unregistered = 0, Host = 1, Device = 2, Managed = 3 } type;
  int device;
  void *devicePointer, *hostPointer;
};

struct LaunchConfiguration {
  image::Dim3 grid, block;
  uint32_t dynamicSharedBytes = 0;
  StreamHandle stream = nullptr;
  bool cooperative = false; ///< the kernel may contain grid-wide barriers
  /// Blocks of a cluster; zero: the launch does not name any.
  image::Dim3 cluster = {0, 0, 0};

  bool clustered() const { return cluster.x || cluster.y || cluster.z; }
};

struct DeviceProperties {
  std::string name;
  std::string kind;     ///< "CPU" or "GPU"
  std::string codeName; ///< "x86-64-v4", "sm_90"
  size_t memoryBytes;
  int major, minor; ///< compute capability
  int multiprocessors;
  int warpSize;
  int maxThreadsPerBlock;
  int maxBlock[3];
  int maxGrid[3];
  int maxThreadsPerMultiprocessor;
  int maxBlocksPerMultiprocessor;
  size_t sharedBytesPerBlock;      ///< static
  size_t sharedBytesPerBlockOptIn; ///< static and dynamic together
  size_t sharedBytesPerMultiprocessor;
  size_t constantBytes;
  int registersPerBlock;
  int registersPerMultiprocessor;
  int clockKilohertz; ///< 0 where unknown
  int memoryClockKilohertz;
  int memoryBusBits;
  int l2Bytes;
  size_t maxPitch;
  size_t textureAlignment;
  int pciDomain, pciBus, pciDevice;
  int computeMode; ///< cudaComputeMode
  unsigned char uuid[16];
  int asyncEngines;
  bool integrated, canMapHostMemory, concurrentKernels, ecc, unifiedAddressing,
      managedMemory, concurrentManagedAccess, pageableMemoryAccess,
      cooperativeLaunch, executionTimeout, preemption, clusterLaunch;
  int driverVersion; ///< 1000 * major + 10 * minor; 0: no driver involved
};

/// cudaFuncAttributes, as far as an engine knows it.
struct KernelAttributes {
  size_t sharedBytes, constantBytes, localBytes;
  int maxThreadsPerBlock, registers, ptxVersion, binaryVersion;
  int maxDynamicSharedBytes;
};

class Engine {
public:
  virtual ~Engine() = default;

  /// The error of asynchronous work after which the device does nothing more
  /// until it is reset; cudaSuccess: there was none. (A driver keeps its own.)
  Error failure() const {
    return static_cast<Error>(failed.load(std::memory_order_acquire));
  }

  virtual const DeviceProperties &properties() = 0;
  /// Whether programs can use the device: empty, or what keeps them from it and
  /// what to do, in words. Uses it as a program would.
  virtual std::string problem() = 0;
  /// cudaDeviceGetAttribute: \p attribute is a number of cudaDeviceAttr.
  virtual Error deviceAttribute(int attribute, int *value) = 0;

  /// Whether device memory can be read and written by host code (after
  /// synchronising).
  virtual bool deviceMemoryIsHostMemory() const = 0;

  /// cudaDeviceGetLimit and cudaDeviceSetLimit; \p limit is a cudaLimit.
  virtual Error limit(int limit, size_t *value) = 0;
  virtual Error setLimit(int limit, size_t value) = 0;
  /// How cache and shared memory are divided: numbers of cudaFuncCache.
  virtual Error cacheConfiguration(int *configuration) = 0;
  /// cudaCtxResetPersistingL2Cache.
  virtual Error resetPersistingCache() = 0;
  virtual Error setCacheConfiguration(int configuration) = 0;
  virtual Error setCacheConfiguration(const KernelReference &kernel,
                                      int configuration) = 0;

  //===--- memory ---===//

  /// Allocates \p bytes (0 gives a null pointer), aligned to 256.
  virtual Error allocate(void **memory, size_t bytes, MemoryKind kind) = 0;
  /// Frees what allocate gave; \p kind Device frees managed memory as well.
  /// Waits for work in flight. Null is allowed.
  virtual Error release(void *memory, MemoryKind kind) = 0;
  /// Page-locked memory; \p flags are cudaHostAlloc's.
  virtual Error allocateHost(void **memory, size_t bytes, unsigned flags) = 0;
  /// Page-locks memory of the program; \p flags are cudaHostRegister's.
  virtual Error registerHost(void *memory, size_t bytes, unsigned flags) = 0;
  virtual Error unregisterHost(void *memory) = 0;
  /// What page-locked memory was allocated or registered with.
  virtual Error hostFlags(const void *memory, unsigned *flags) = 0;
  /// Free and total bytes.
  virtual Error memoryInformation(size_t *free, size_t *total) = 0;
  /// Where the allocation that \p pointer lies in begins, and its size.
  virtual Error addressRange(const void *pointer, void **begin,
                             size_t *bytes) = 0;
  virtual Error describe(const void *pointer, PointerDescription *result) = 0;

  /// Managed memory: cudaMemPrefetchAsync, cudaMemAdvise and
  /// cudaMemRangeGetAttribute, whose numbers \p advice and \p attribute are;
  /// \p device -1 is the host.
  virtual Error prefetch(const void *memory, size_t bytes, int device,
                         StreamHandle stream) = 0;
  virtual Error advise(const void *memory, size_t bytes, int advice,
                       int device) = 0;
  virtual Error rangeAttribute(void *data, size_t dataBytes, int attribute,
                               const void *memory, size_t bytes) = 0;
  /// cudaStreamAttachMemAsync.
  virtual Error attach(StreamHandle stream, void *memory, size_t bytes,
                       unsigned flags) = 0;

  //===--- pools: allocation in the order of a stream ---===//

  /// \p pool null: the device's current one.
  virtual Error allocateAsync(void **memory, size_t bytes, PoolHandle pool,
                              StreamHandle stream) = 0;
  virtual Error releaseAsync(void *memory, StreamHandle stream) = 0;
  virtual Error createPool(PoolHandle *pool) = 0;
  virtual Error destroyPool(PoolHandle pool) = 0;
  virtual Error defaultPool(PoolHandle *pool) = 0;
  virtual Error currentPool(PoolHandle *pool) = 0;
  virtual Error setCurrentPool(PoolHandle pool) = 0;
  virtual Error trimPool(PoolHandle pool, size_t bytesToKeep) = 0;
  /// \p attribute is a cudaMemPoolAttr: 1 to 3 are int, the others uint64_t.
  virtual Error poolAttribute(PoolHandle pool, int attribute, void *value) = 0;
  virtual Error setPoolAttribute(PoolHandle pool, int attribute,
                                 const void *value) = 0;
  /// What the device \p device may do with a pool's memory: a
  /// cudaMemAccessFlags.
  virtual Error poolAccess(PoolHandle pool, int device, int *flags) = 0;
  virtual Error setPoolAccess(PoolHandle pool, int device, int flags) = 0;

  //===--- arrays ---===//

  virtual Error createArray(ArrayHandle *array, const ArrayShape &shape) = 0;
  virtual Error destroyArray(ArrayHandle array) = 0;
  virtual Error arrayShape(ArrayHandle array, ArrayShape *shape) = 0;
  /// Arrays of \p levels levels, each half as large as the one before.
  virtual Error createMipmaps(MipmapHandle *mipmaps, const ArrayShape &shape,
                              unsigned levels) = 0;
  virtual Error destroyMipmaps(MipmapHandle mipmaps) = 0;
  /// One of the levels, which stays the mipmaps' own.
  virtual Error mipmapLevel(MipmapHandle mipmaps, unsigned level,
                            ArrayHandle *array) = 0;
  /// A box between arrays and pitched memory. Waits unless \p async.
  virtual Error copyBox(const BoxCopy &copy, StreamHandle stream,
                        bool async) = 0;

  //===--- textures and surfaces ---===//

  virtual Error createTexture(TextureHandle *texture,
                              const TextureDescription &description) = 0;
  virtual Error destroyTexture(TextureHandle texture) = 0;
  virtual Error createSurface(TextureHandle *surface, ArrayHandle array) = 0;
  virtual Error destroySurface(TextureHandle surface) = 0;

  //===--- peers ---===//

  virtual Error canAccessPeer(Engine &peer, bool *result) = 0;
  /// \p attribute is a cudaDeviceP2PAttr.
  virtual Error peerAttribute(Engine &peer, int attribute, int *value) = 0;
  virtual Error enablePeer(Engine &peer) = 0;
  virtual Error disablePeer(Engine &peer) = 0;
  /// From a device to another in \p stream. Waits unless \p async.
  virtual Error copyPeer(void *to, Engine &toDevice, const void *from,
                         Engine &fromDevice, size_t bytes, StreamHandle stream,
                         bool async) = 0;

  //===--- other processes ---===//

  virtual Error exportMemory(void *memory, IpcHandle *handle) = 0;
  virtual Error importMemory(const IpcHandle &handle, void **memory) = 0;
  virtual Error closeMemory(void *memory) = 0;
  virtual Error exportEvent(EventHandle event, IpcHandle *handle) = 0;
  virtual Error importEvent(const IpcHandle &handle, EventHandle *event) = 0;

  //===--- copies and fills ---===//

  /// Copies in the order of the legacy default stream and waits.
  virtual Error copy(void *to, const void *from, size_t bytes,
                     CopyKind kind) = 0;
  /// Copies in \p stream; asynchronous if no pageable host memory takes part.
  virtual Error copyAsync(void *to, const void *from, size_t bytes,
                          CopyKind kind, StreamHandle stream) = 0;
  /// \p height rows of \p width bytes each, the rows \p toPitch and
  /// \p fromPitch bytes apart (at least width). Waits unless \p async.
  virtual Error copy2D(void *to, size_t toPitch, const void *from,
                       size_t fromPitch, size_t width, size_t height,
                       CopyKind kind, StreamHandle stream, bool async) = 0;
  /// Array to array of equal shape and element size, any strides; waits. The
  /// two must not overlap.
  virtual Error copyStrided(const StridedView &to, const StridedView &from,
                            CopyKind kind) = 0;
  /// Writes \p count copies of the \p patternBytes bytes at \p pattern (copied
  /// before the call returns) to consecutive places. Asynchronous.
  virtual Error fill(void *to, const void *pattern, size_t patternBytes,
                     size_t count, StreamHandle stream) = 0;
  /// Sets \p height rows of \p width bytes to \p value. Asynchronous.
  virtual Error fill2D(void *to, size_t pitch, unsigned char value,
                       size_t width, size_t height, StreamHandle stream) = 0;

  //===--- kernels and variables ---===//

  /// Enqueues a launch; \p parameters points to one pointer for each kernel
  /// parameter; everything is copied before the call returns.
  virtual Error launch(const KernelReference &kernel,
                       const LaunchConfiguration &configuration,
                       void *const *parameters) = 0;
  /// How many blocks of \p threads threads run at the same time on the whole
  /// device (at least 1).
  virtual Error residentBlocks(const KernelReference &kernel, unsigned threads,
                               size_t dynamicSharedBytes,
                               int *perMultiprocessor,
                               int *multiprocessors) = 0;
  /// How many blocks the largest cluster has that such a launch could use (its
  /// own is not looked at).
  virtual Error maxClusterSize(const KernelReference &kernel,
                               const LaunchConfiguration &configuration,
                               int *blocks) = 0;
  /// How many clusters of such a launch run at the same time.
  virtual Error residentClusters(const KernelReference &kernel,
                                 const LaunchConfiguration &configuration,
                                 int *clusters) = 0;
  /// Lets clusters have more than the 8 blocks that every device takes.
  virtual Error allowLargeClusters(const KernelReference &kernel,
                                   bool allowed) = 0;
  virtual Error attributes(const KernelReference &kernel,
                           KernelAttributes *result) = 0;
  /// Allows \p bytes of dynamic shared memory for \p kernel.
  virtual Error setMaxDynamicShared(const KernelReference &kernel,
                                    int bytes) = 0;
  virtual Error variableAddress(const VariableReference &variable,
                                void **address) = 0;

  //===--- streams, events ---===//

  virtual Error createStream(StreamHandle *stream, bool blocking,
                             int priority) = 0;
  /// Lower numbers are more urgent.
  virtual void priorityRange(int *least, int *greatest) = 0;
  virtual Error streamPriority(StreamHandle stream, int *priority) = 0;
  virtual Error streamBlocking(StreamHandle stream, bool *blocking) = 0;
  virtual Error destroyStream(StreamHandle stream) = 0;
  /// The number of the device that \p stream is of.
  virtual Error streamDevice(StreamHandle stream, int *device) = 0;
  /// Attributes of streams (AttributeNumber).
  virtual Error streamAttribute(StreamHandle stream, int attribute,
                                AttributeValue *value) = 0;
  virtual Error setStreamAttribute(StreamHandle stream, int attribute,
                                   const AttributeValue &value) = 0;
  virtual Error synchronizeStream(StreamHandle stream) = 0;
  /// cudaSuccess: all done; cudaErrorNotReady: not yet.
  virtual Error queryStream(StreamHandle stream) = 0;
  /// \p external: a wait that a captured graph performs at every launch.
  virtual Error waitEvent(StreamHandle stream, EventHandle event,
                          bool external) = 0;
  /// Calls \p function(\p data) when all earlier work of \p stream is done.
  virtual Error callHost(StreamHandle stream, void (*function)(void *),
                         void *data) = 0;

  /// \p flags are cudaEventCreateWithFlags's.
  virtual Error createEvent(EventHandle *event, unsigned flags) = 0;
  virtual Error destroyEvent(EventHandle event) = 0;
  /// \p external: a recording that a captured graph performs at every launch.
  virtual Error recordEvent(EventHandle event, StreamHandle stream,
                            bool external) = 0;
  /// Whether the event has ever been recorded.
  virtual Error eventRecorded(EventHandle event, bool *recorded) = 0;
  virtual Error synchronizeEvent(EventHandle event) = 0;
  virtual Error queryEvent(EventHandle event) = 0;
  /// Milliseconds between the completions of two recorded events.
  virtual Error elapsedTime(float *milliseconds, EventHandle start,
                            EventHandle end) = 0;

  /// Starts or stops a profiler that was attached from outside.
  virtual Error profile(bool start) = 0;

  /// Graphs and the capture of streams.
  virtual Graphs &graphs() = 0;
  /// Code that is loaded while the program runs.
  virtual Modules &modules() = 0;

  /// Waits for everything submitted before the call.
  virtual Error synchronize() = 0;
  /// Prints what kernels have written so far. Functions that wait for kernels
  /// do it themselves. Does not return where a kernel has ended the program.
  virtual void deliverOutput() = 0;
  /// Whether kernels that may print or stop have been loaded.
  virtual bool mayHaveOutput() const = 0;
  /// Frees all memory, streams and events of the device.
  virtual Error reset() = 0;
  /// Called once when the program ends.
  virtual void shutDown() = 0;

protected:
  std::atomic<int> failed{cudaSuccess};
};

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_ENGINE_H
