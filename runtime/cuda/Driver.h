//===- Driver.h - libcuda, opened at run time -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Our own declarations of the part of the driver API that is used: types,
// numbers, and one table of functions.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_DRIVER_H
#define CUFORT_RUNTIME_CUDA_DRIVER_H

#include "runtime/core/engine/Graphs.h"
#include "runtime/core/engine/VirtualMemory.h"
#include <cstddef>
#include <string>

namespace cufort::cuda {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct ContextTag *;
using CUmodule = struct ModuleTag *;
using CUlibrary = struct LibraryTag *;
using CUlinkState = struct LinkTag *;
using CUfunction = struct FunctionTag *;
using CUstream = struct StreamTag *;
using CUevent = struct EventTag *;
using CUarray = struct ArrayTag *;
using CUmipmappedArray = struct MipmapsTag *;
using CUuserObject = struct UserObjectTag *;
using CUmemoryPool = struct PoolTag *;
using CUgraph = struct GraphTag *;
using CUgraphExec = struct GraphExecTag *;
using CUgraphNode = struct GraphNodeTag *;

/// Where one side of a Copy2D or Copy3D lies; Unified lets the driver find out.
inline constexpr int MemoryHost = 1, MemoryDevice = 2, MemoryArray = 3,
                     MemoryUnified = 4;

/// CUDA_MEMCPY2D, version 2.
struct Copy2D {
  struct Side {
    size_t xBytes, y;
    int memoryType;
    const void *host;
    CUdeviceptr device;
    void *array;
    size_t pitch;
  } from, to;
  size_t widthBytes, height;
};

/// CUDA_MEMCPY3D, version 2.
struct Copy3D {
  struct Side {
    size_t xBytes, y, z, levelOfDetail;
    int memoryType;
    const void *host;
    CUdeviceptr device;
    void *array, *reserved;
    size_t pitch, height;
  } from, to;
  size_t widthBytes, height, depth;
};

/// CUgraphExecUpdateResultInfo.
struct UpdateResult {
  int reason;
  CUgraphNode node, from;
};

/// CUDA_ARRAY3D_DESCRIPTOR, version 2.
struct ArrayDescriptor {
  size_t width, height, depth;
  int format;
  unsigned channels, flags;
};

/// CUDA_RESOURCE_DESC.
struct ResourceDescription {
  enum Type : int { Array = 0, Mipmapped = 1, Linear = 2, Pitched = 3 } type;
  union {
    CUarray array;
    struct {
      CUdeviceptr memory;
      int format;
      unsigned channels;
      size_t bytes;
    } linear;
    struct {
      CUdeviceptr memory;
      int format;
      unsigned channels;
      size_t width, height, pitch;
    } pitched;
    int reserved[32];
  };
  unsigned flags;
};

/// CUDA_TEXTURE_DESC.
struct SamplingDescription {
  enum Flag : unsigned {
    Integers = 1,
    Normalized = 2,
    Srgb = 0x10,
    Seamless = 0x40
  };
  int addressMode[3], filterMode;
  unsigned flags, maxAnisotropy;
  int levelFilterMode;
  float levelBias, minLevel, maxLevel;
  float border[4];
  int reserved[12];
};

/// The driver's number for the format of channels, 0: there is none.
int driverFormat(const ChannelFormat &format);

/// CUmemPoolProps.
struct PoolProperties {
  int allocationType = 1; ///< pinned, the only one
  int handleTypes = 0;
  int locationType = 1; ///< a device
  int location;
  void *securityAttributes = nullptr;
  size_t maxSize = 0;
  unsigned char reserved[56] = {}; ///< the use in the first two bytes
};
static_assert(sizeof(PoolProperties) == 88);

/// CUDA_MEM_ALLOC_NODE_PARAMS.
struct AllocationNode {
  PoolProperties pool;
  const AccessDescription *access;
  size_t accessCount, bytes;
  CUdeviceptr memory;
};

/// CUlaunchAttribute, as far as we use it.
struct LaunchAttribute {
  enum Id : int { Cooperative = 2, Cluster = 4, Overlap = 6 } id;
  char pad[4] = {};
  union {
    unsigned cluster[16] = {}; ///< the first three
    int cooperative, overlap;
  };
};

/// CUlaunchConfig.
struct LaunchDescription {
  unsigned grid[3], block[3], sharedBytes;
  CUstream stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};

/// CUDA_KERNEL_NODE_PARAMS, version 1.
struct KernelNode {
  CUfunction function;
  unsigned grid[3], block[3], sharedBytes;
  void **parameters, **extra;
};

/// CUDA_MEMSET_NODE_PARAMS, version 1.
struct FillNode {
  CUdeviceptr memory;
  size_t pitch;
  unsigned value, elementBytes;
  size_t width, height;
};

/// CUstreamBatchMemOpParams.
struct BatchOperation {
  int operation;
  union {
    struct {
      CUdeviceptr address;
      uint64_t value;
      unsigned flags;
      CUdeviceptr alias;
    } value;
    struct {
      unsigned flags;
    } ordering;
    uint64_t pad[5] = {};
  };
};
static_assert(sizeof(BatchOperation) == 48);

/// CUDA_HOST_NODE_PARAMS, version 1.
struct HostNode {
  void (*function)(void *);
  void *data;
};

/// CUgraphNodeParams, of nodes with conditions.
struct AnyNode {
  int type = static_cast<int>(GraphNodeType::Conditional);
  int reserved[3] = {};
  ConditionHandle condition;
  int conditionType;
  unsigned count;
  CUgraph *graphs;
  CUcontext context;
  long long pad[25] = {}, last = 0;
};
static_assert(sizeof(AnyNode) == 256);

/// Numbers of CUdevice_attribute; cudaDeviceGetAttribute uses the same.
enum DeviceAttribute : int {
  MaxThreadsPerBlock = 1,
  MaxBlockX = 2,
  MaxBlockY = 3,
  MaxBlockZ = 4,
  MaxGridX = 5,
  MaxGridY = 6,
  MaxGridZ = 7,
  MaxSharedPerBlock = 8,
  TotalConstantMemory = 9,
  WarpSize = 10,
  MaxPitch = 11,
  MaxRegistersPerBlock = 12,
  ClockRate = 13,
  TextureAlignment = 14,
  ExecutionTimeout = 17,
  MultiprocessorCount = 16,
  Integrated = 18,
  CanMapHostMemory = 19,
  ComputeMode = 20,
  ConcurrentKernels = 31,
  EccEnabled = 32,
  PciBus = 33,
  PciDevice = 34,
  MemoryClockRate = 36,
  MemoryBusWidth = 37,
  L2CacheSize = 38,
  MaxThreadsPerMultiprocessor = 39,
  AsyncEngineCount = 40,
  UnifiedAddressing = 41,
  PciDomain = 50,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  MaxSharedPerMultiprocessor = 81,
  MaxRegistersPerMultiprocessor = 82,
  ManagedMemory = 83,
  PageableMemoryAccess = 88,
  ConcurrentManagedAccess = 89,
  ComputePreemption = 90,
  CooperativeLaunch = 95,
  MaxSharedPerBlockOptIn = 97,
  MaxBlocksPerMultiprocessor = 106,
  ClusterLaunch = 120
};

/// Numbers of CUfunction_attribute.
enum FunctionAttribute : int {
  FunctionMaxThreads = 0,
  FunctionShared = 1,
  FunctionConstant = 2,
  FunctionLocal = 3,
  FunctionRegisters = 4,
  FunctionPtxVersion = 5,
  FunctionBinaryVersion = 6,
  FunctionMaxDynamicShared = 8,
  FunctionClusterMustBeSet = 10,
  FunctionClusterWidth = 11,
  FunctionClusterHeight = 12,
  FunctionClusterDepth = 13,
  FunctionLargeClusters = 14
};

/// Numbers of CUjit_option.
enum JitOption : int { JitErrorLog = 5, JitErrorLogBytes = 6 };

/// Numbers of CUpointer_attribute.
enum PointerAttribute : int {
  PointerMemoryType = 2,
  PointerDeviceAddress = 3,
  PointerHostAddress = 4,
  PointerIsManaged = 8,
  PointerDeviceOrdinal = 9
};

/// The functions of libcuda.
struct Driver {
  void *library; ///< for functions that are not in the table
#define CUFORT_DRIVER(member, symbol, parameters) CUresult(*member) parameters;
#include "runtime/cuda/DriverFunctions.def"
};

/// Opens and initialises libcuda, once; null, and why in \p problem, if that
/// does not work.
const Driver *openDriver(std::string &problem);

/// The runtime API's code for a driver's.
Error errorOf(CUresult result);

} // namespace cufort::cuda

#endif // CUFORT_RUNTIME_CUDA_DRIVER_H
