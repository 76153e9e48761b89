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

#ifndef CUFORT_RUNTIME_CORE_ENGINE_ENGINE_H
#define CUFORT_RUNTIME_CORE_ENGINE_ENGINE_H

#include "runtime/core/Registry.h"
#include "runtime/core/Strided.h"
#include "runtime/core/engine/Copies.h"
#include "runtime/core/engine/Team.h"
#include "runtime/core/engine/Textures.h"
#include "runtime/core/process/Error.h"
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
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
class VirtualMemory;
union AttributeValue;

enum class MemoryKind {
  Device,
  Managed, ///< accessible on host and device
  Pinned   ///< host memory that the device can reach
};

/// Who may use managed memory that Engine::attach speaks of (cudaMemAttach...).
enum Attachment : unsigned {
  AttachGlobal = 1,
  AttachHost = 2,
  AttachSingle = 4
};

inline bool isAttachment(unsigned flags) {
  return flags == AttachGlobal || flags == AttachHost || flags == AttachSingle;
}

/// What is known of an address; cudaMemoryType's numbers.
struct PointerDescription {
  enum Type { Unregistered = 0, Host = 1, Device = 2, Managed = 3 } type;
  int device;
  void *devicePointer, *hostPointer;
  /// Of a graph that has not been launched: only graphs may use it.
  bool isAbsent = false;
};

/// One of CUstreamBatchMemOpParams, with its numbers.
struct ValueOperation {
  enum Kind : int {
    Wait32 = 1,
    Write32 = 2,
    Flush = 3, ///< what other machines have written
    Wait64 = 4,
    Write64 = 5,
    Barrier = 6
  } kind;
  void *address;
  uint64_t value;
  unsigned flags;
};

struct LaunchConfiguration {
  image::Dim3 grid, block;
  uint32_t dynamicSharedBytes = 0;
  StreamHandle stream = nullptr;
  bool cooperative = false; ///< the kernel may contain grid-wide barriers
  /// Blocks of a cluster; zero: the launch does not name any.
  image::Dim3 cluster = {0, 0, 0};
  /// The grid may begin before the one before it in its stream has ended, whose
  /// end the kernel waits for itself (programmatic dependent launch).
  bool overlaps = false;

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
  /// What each of \p blocks on one multiprocessor can ask for at its launch
  /// beside \p staticBytes of its kernel's own.
  size_t dynamicSharedBytes(int blocks, size_t staticBytes) const {
    const size_t each =
        sharedBytesPerMultiprocessor / static_cast<size_t>(blocks);
    const size_t most = std::min(each, sharedBytesPerBlockOptIn);
    return most - std::min(most, staticBytes);
  }
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

#define CUFORT_ENGINE(result, name, parameters)                                \
  virtual result name parameters = 0;
#include "runtime/core/engine/Engine.def"

protected:
  std::atomic<int> failed{cudaSuccess};
};

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_ENGINE_ENGINE_H
