//===- cuda_occupancy.h - the occupancy of kernels --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many blocks of a kernel a multiprocessor holds, calculated for a device
// that need not be there: its properties, the kernel's attributes and the
// device's state are arguments. C, C++ and device code. A program that asks
// about a device that it has uses cudaOccupancyMaxActiveBlocksPerMultiprocessor
// and its kin instead.
//
// The numbers are those of the table "Technical Specifications per Compute
// Capability" of CUDA's programming guide. Compute capabilities 3, 5 to 9, 10,
// 11 and 12; any other is CUDA_OCC_ERROR_UNKNOWN_DEVICE.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_CUDA_OCCUPANCY_H
#define CUFORT_CUDA_OCCUPANCY_H

#include <limits.h>
#include <stddef.h>

#ifdef __CUDACC__
#define CUFORT_OCC static inline __host__ __device__
#define CUFORT_OCC_MEMBER __host__ __device__
#else
#define CUFORT_OCC static inline
#define CUFORT_OCC_MEMBER
#endif

// The newest compute capability that is known.
#define __CUDA_OCC_MAJOR__ 12
#define __CUDA_OCC_MINOR__ 1

typedef enum cudaOccError_enum {
  CUDA_OCC_SUCCESS = 0,
  CUDA_OCC_ERROR_INVALID_INPUT = 1,
  CUDA_OCC_ERROR_UNKNOWN_DEVICE = 2
} cudaOccError;

// Whether a block's global loads are cached in one half of a multiprocessor
// (5.2, 5.3 and 6.x but 6.0), in which the whole block must then fit.
typedef enum cudaOccPartitionedGCConfig_enum {
  PARTITIONED_GC_OFF,
  PARTITIONED_GC_ON,       // given up where the block does not fit
  PARTITIONED_GC_ON_STRICT // never given up
} cudaOccPartitionedGCConfig;

typedef enum cudaOccPartitionedGCSupport_enum {
  PARTITIONED_GC_NOT_SUPPORTED,
  PARTITIONED_GC_SUPPORTED
} cudaOccPartitionedGCSupport;

// Which limit of shared memory holds for the kernel's blocks (from 7.0 on).
typedef enum cudaOccFuncShmemConfig_enum {
  FUNC_SHMEM_LIMIT_DEFAULT, // sharedMemPerBlock
  FUNC_SHMEM_LIMIT_OPTIN    // sharedMemPerBlockOptin
} cudaOccFuncShmemConfig;

typedef enum cudaOccCacheConfig_enum {
  CACHE_PREFER_NONE = 0,
  CACHE_PREFER_SHARED = 1,
  CACHE_PREFER_L1 = 2,
  CACHE_PREFER_EQUAL = 3
} cudaOccCacheConfig;

// The part of the memory of cache and shared memory that the latter takes, in
// percent; any number from 0 to 100 will do.
typedef enum cudaOccCarveoutConfig_enum {
  SHAREDMEM_CARVEOUT_DEFAULT = -1,
  SHAREDMEM_CARVEOUT_MAX_SHARED = 100,
  SHAREDMEM_CARVEOUT_MAX_L1 = 0,
  SHAREDMEM_CARVEOUT_HALF = 50
} cudaOccCarveoutConfig;

// What keeps more blocks from a multiprocessor: bits of `limitingFactors`.
typedef enum cudaOccLimitingFactor_enum {
  OCC_LIMIT_WARPS = 0x01,
  OCC_LIMIT_REGISTERS = 0x02,
  OCC_LIMIT_SHARED_MEMORY = 0x04,
  OCC_LIMIT_BLOCKS = 0x08,
  OCC_LIMIT_BARRIERS = 0x10,
  OCC_LIMIT_VIRTUAL_RESOURCES = 0x20
} cudaOccLimitingFactor;

// A device. In C++ it is made from a cudaDeviceProp, in C member by member.
typedef struct cudaOccDeviceProp {
  int computeMajor;
  int computeMinor;
  int maxThreadsPerBlock;
  int maxThreadsPerMultiprocessor;
  int regsPerBlock;
  int regsPerMultiprocessor;
  int warpSize;
  size_t sharedMemPerBlock;          // bytes
  size_t sharedMemPerMultiprocessor; // bytes
  int numSms;
  size_t sharedMemPerBlockOptin;    // bytes
  size_t reservedSharedMemPerBlock; // bytes
#ifdef __cplusplus
  template <typename DeviceProp>
  CUFORT_OCC_MEMBER cudaOccDeviceProp(const DeviceProp &from)
      : computeMajor(from.major), computeMinor(from.minor),
        maxThreadsPerBlock(from.maxThreadsPerBlock),
        maxThreadsPerMultiprocessor(from.maxThreadsPerMultiProcessor),
        regsPerBlock(from.regsPerBlock),
        regsPerMultiprocessor(from.regsPerMultiprocessor),
        warpSize(from.warpSize), sharedMemPerBlock(from.sharedMemPerBlock),
        sharedMemPerMultiprocessor(from.sharedMemPerMultiprocessor),
        numSms(from.multiProcessorCount),
        sharedMemPerBlockOptin(from.sharedMemPerBlockOptin),
        reservedSharedMemPerBlock(from.reservedSharedMemPerBlock) {}
  CUFORT_OCC_MEMBER cudaOccDeviceProp()
      : computeMajor(0), computeMinor(0), maxThreadsPerBlock(0),
        maxThreadsPerMultiprocessor(0), regsPerBlock(0),
        regsPerMultiprocessor(0), warpSize(0), sharedMemPerBlock(0),
        sharedMemPerMultiprocessor(0), numSms(0), sharedMemPerBlockOptin(0),
        reservedSharedMemPerBlock(0) {}
#endif
} cudaOccDeviceProp;

// A kernel. In C++ it is made from a cudaFuncAttributes, in C member by member.
typedef struct cudaOccFuncAttributes {
  int maxThreadsPerBlock; // INT_MAX: as many as the device has
  int numRegs;            // a thread's
  size_t sharedSizeBytes; // static shared memory
  cudaOccPartitionedGCConfig partitionedGCConfig;
  cudaOccFuncShmemConfig shmemLimitConfig;
  size_t maxDynamicSharedSizeBytes; // cudaFuncAttributeMaxDynamicShared...
  int numBlockBarriers;             // 0: not a limit
  int virtualResourceCount;         // 0: not a limit
#ifdef __cplusplus
  template <typename FuncAttributes>
  CUFORT_OCC_MEMBER cudaOccFuncAttributes(const FuncAttributes &from)
      : maxThreadsPerBlock(from.maxThreadsPerBlock), numRegs(from.numRegs),
        sharedSizeBytes(from.sharedSizeBytes),
        partitionedGCConfig(PARTITIONED_GC_OFF),
        shmemLimitConfig(FUNC_SHMEM_LIMIT_OPTIN),
        maxDynamicSharedSizeBytes(from.maxDynamicSharedSizeBytes),
        numBlockBarriers(1), virtualResourceCount(0) {}
  CUFORT_OCC_MEMBER cudaOccFuncAttributes()
      : maxThreadsPerBlock(0), numRegs(0), sharedSizeBytes(0),
        partitionedGCConfig(PARTITIONED_GC_OFF),
        shmemLimitConfig(FUNC_SHMEM_LIMIT_DEFAULT),
        maxDynamicSharedSizeBytes(0), numBlockBarriers(0),
        virtualResourceCount(0) {}
#endif
} cudaOccFuncAttributes;

// Settings of the device. The carve-out, if not the default, counts from 7.0
// on and goes before the preference, which counts up to 3.x else.
typedef struct cudaOccDeviceState {
  cudaOccCacheConfig cacheConfig;
  int carveoutConfig; // percent, or SHAREDMEM_CARVEOUT_DEFAULT
#ifdef __cplusplus
  CUFORT_OCC_MEMBER cudaOccDeviceState()
      : cacheConfig(CACHE_PREFER_NONE),
        carveoutConfig(SHAREDMEM_CARVEOUT_DEFAULT) {}
#endif
} cudaOccDeviceState;

// The answer. Each blockLimit is the number of blocks which that resource alone
// would let a multiprocessor hold, INT_MAX where the kernel does not use it.
typedef struct cudaOccResult {
  int activeBlocksPerMultiprocessor; // 0: the kernel cannot be launched so
  unsigned int limitingFactors;      // of cudaOccLimitingFactor
  int blockLimitRegs;
  int blockLimitSharedMem;
  int blockLimitWarps;
  int blockLimitBlocks;
  int blockLimitBarriers;
  int blockLimitVirtual;
  int allocatedRegistersPerBlock;
  size_t allocatedSharedMemPerBlock; // bytes
  cudaOccPartitionedGCConfig partitionedGCConfig;
} cudaOccResult;

#include "cufort/occupancy_limits.h"

//===----------------------------------------------------------------------===//
// The calculator
//===----------------------------------------------------------------------===//

CUFORT_OCC cudaOccError
cudaOccDevicePropCheck(const cudaOccDeviceProp *properties) {
  return properties->maxThreadsPerBlock > 0 &&
                 properties->maxThreadsPerMultiprocessor > 0 &&
                 properties->regsPerBlock > 0 &&
                 properties->regsPerMultiprocessor > 0 &&
                 properties->warpSize > 0 &&
                 properties->sharedMemPerBlock > 0 &&
                 properties->sharedMemPerMultiprocessor > 0 &&
                 properties->numSms > 0
             ? CUDA_OCC_SUCCESS
             : CUDA_OCC_ERROR_INVALID_INPUT;
}

CUFORT_OCC cudaOccError
cudaOccFuncAttributesCheck(const cudaOccFuncAttributes *attributes) {
  return attributes->maxThreadsPerBlock > 0 && attributes->numRegs >= 0
             ? CUDA_OCC_SUCCESS
             : CUDA_OCC_ERROR_INVALID_INPUT;
}

// Every state is accepted here; an invalid carve-out is found where it is used.
CUFORT_OCC cudaOccError
cudaOccDeviceStateCheck(const cudaOccDeviceState *state) {
  (void)state;
  return CUDA_OCC_SUCCESS;
}

CUFORT_OCC cudaOccError cudaOccInputCheck(
    const cudaOccDeviceProp *properties,
    const cudaOccFuncAttributes *attributes, const cudaOccDeviceState *state) {
  cudaOccError status = cudaOccDevicePropCheck(properties);
  if (status == CUDA_OCC_SUCCESS)
    status = cudaOccFuncAttributesCheck(attributes);
  return status == CUDA_OCC_SUCCESS ? cudaOccDeviceStateCheck(state) : status;
}

// Whether the kernel's global loads are cached by halves of a multiprocessor:
// as it says, where the device can.
CUFORT_OCC cudaOccPartitionedGCConfig
cudaOccPartitionedGCExpected(const cudaOccDeviceProp *properties,
                             const cudaOccFuncAttributes *attributes) {
  cudaOccPartitionedGCSupport support;
  cudaOccPartitionedGlobalCachingModeSupport(&support, properties);
  return support == PARTITIONED_GC_SUPPORTED ? attributes->partitionedGCConfig
                                             : PARTITIONED_GC_OFF;
}

// How many blocks of blockSize threads a multiprocessor holds, with
// dynamicSmemSize bytes of dynamic shared memory each.
CUFORT_OCC cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(
    cudaOccResult *result, const cudaOccDeviceProp *properties,
    const cudaOccFuncAttributes *attributes, const cudaOccDeviceState *state,
    int blockSize, size_t dynamicSmemSize) {
  cudaOccPartitionedGCConfig caching;
  cudaOccError status;
  int warps = 0, registers = 0, shared = 0, blocks = 0, barriers = INT_MAX,
      virtuals = 0, active;
  unsigned factors;
  if (!result || !properties || !attributes || !state || blockSize <= 0)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  status = cudaOccInputCheck(properties, attributes, state);
  if (status != CUDA_OCC_SUCCESS)
    return status;
  caching = cudaOccPartitionedGCExpected(properties, attributes);
  status = cudaOccMaxBlocksPerSMRegsLimit(&registers, &caching, result,
                                          properties, attributes, blockSize);
  if (status == CUDA_OCC_SUCCESS && properties->computeMajor == 6 &&
      properties->computeMinor == 0 && registers != 0) {
    // What does not fit into the four sub-partitions of 6.1 does not run on
    // 6.0 either, although it has two larger ones.
    cudaOccDeviceProp next = *properties;
    cudaOccPartitionedGCConfig nextCaching = caching;
    int nextRegisters = 0;
    next.computeMinor = 1;
    status = cudaOccMaxBlocksPerSMRegsLimit(
        &nextRegisters, &nextCaching, result, &next, attributes, blockSize);
    if (nextRegisters == 0)
      registers = 0;
  }
  if (status == CUDA_OCC_SUCCESS)
    status = cudaOccMaxBlocksPerSMWarpsLimit(&warps, caching, properties,
                                             attributes, blockSize);
  if (status == CUDA_OCC_SUCCESS)
    status = cudaOccMaxBlocksPerMultiprocessor(&blocks, properties);
  if (status == CUDA_OCC_SUCCESS)
    status =
        cudaOccMaxBlocksPerSMSmemLimit(&shared, result, properties, attributes,
                                       state, blockSize, dynamicSmemSize);
  if (status == CUDA_OCC_SUCCESS)
    status =
        cudaOccMaxBlocksPerSMVirtualResource(&virtuals, properties, attributes);
  if (status != CUDA_OCC_SUCCESS)
    return status;
  active = cufortOccMin(cufortOccMin(registers, shared),
                        cufortOccMin(cufortOccMin(warps, blocks), virtuals));
  factors = (unsigned)((active == warps) * OCC_LIMIT_WARPS |
                       (active == registers) * OCC_LIMIT_REGISTERS |
                       (active == shared) * OCC_LIMIT_SHARED_MEMORY |
                       (active == blocks) * OCC_LIMIT_BLOCKS |
                       (active == virtuals) * OCC_LIMIT_VIRTUAL_RESOURCES);
  if (properties->computeMajor >= 9 && attributes->numBlockBarriers > 0) {
    status = cudaOccMaxBlocksPerSMBlockBarrierLimit(&barriers, blocks,
                                                    properties, attributes);
    if (status != CUDA_OCC_SUCCESS)
      return status;
    // Limits found before stay among the factors, as CUDA's calculator has it.
    active = cufortOccMin(active, barriers);
    factors |= (unsigned)((active == barriers) * OCC_LIMIT_BARRIERS);
  }
  result->activeBlocksPerMultiprocessor = active;
  result->limitingFactors = factors;
  result->blockLimitRegs = registers;
  result->blockLimitSharedMem = shared;
  result->blockLimitWarps = warps;
  result->blockLimitBlocks = blocks;
  result->blockLimitBarriers = barriers;
  result->blockLimitVirtual = virtuals;
  result->partitionedGCConfig = caching;
  return CUDA_OCC_SUCCESS;
}

// The most dynamic shared memory, in bytes, with which a multiprocessor still
// holds numBlocks blocks of blockSize threads; invalid input where it does not
// hold them without any.
CUFORT_OCC cudaOccError cudaOccAvailableDynamicSMemPerBlock(
    size_t *dynamicSmemSize, const cudaOccDeviceProp *properties,
    const cudaOccFuncAttributes *attributes, const cudaOccDeviceState *state,
    int numBlocks, int blockSize) {
  cudaOccResult result;
  int granularity = 0;
  size_t perBlock = 0, shared = 0;
  cudaOccError status;
  if (numBlocks <= 0)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  status = cudaOccMaxActiveBlocksPerMultiprocessor(
      &result, properties, attributes, state, blockSize, 0);
  if (status != CUDA_OCC_SUCCESS)
    return status;
  if (result.activeBlocksPerMultiprocessor < numBlocks)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  status = cudaOccSMemAllocationGranularity(&granularity, properties);
  if (status == CUDA_OCC_SUCCESS)
    status =
        cudaOccSMemPerBlock(&perBlock, properties, attributes->shmemLimitConfig,
                            properties->sharedMemPerMultiprocessor);
  if (status == CUDA_OCC_SUCCESS)
    status = cudaOccSMemPerMultiprocessor(&shared, properties, state);
  if (status != CUDA_OCC_SUCCESS)
    return status;
  // A single block may have more than the device's state leaves for shared
  // memory, and some is left even where the cache is to have all.
  if (numBlocks == 1)
    shared = perBlock;
  if (shared == 0) {
    shared = 1;
    status = cudaOccAlignUpShmemSizeVoltaPlus(&shared, properties);
    if (status != CUDA_OCC_SUCCESS)
      return status;
  }
  shared =
      shared / (size_t)numBlocks / (size_t)granularity * (size_t)granularity;
  if (shared > perBlock)
    shared = perBlock;
  shared -= attributes->sharedSizeBytes;
  if (shared > attributes->maxDynamicSharedSizeBytes)
    shared = attributes->maxDynamicSharedSizeBytes;
  *dynamicSmemSize = shared;
  return CUDA_OCC_SUCCESS;
}

// Tries the block sizes, in warps and the largest first, until a multiprocessor
// is full. sharedOf(context, n) is the dynamic shared memory of a block of n
// threads.
CUFORT_OCC cudaOccError cufortOccSearch(int *minGridSize, int *blockSize,
                                        const cudaOccDeviceProp *properties,
                                        const cudaOccFuncAttributes *attributes,
                                        const cudaOccDeviceState *state,
                                        size_t (*sharedOf)(void *, int),
                                        void *context) {
  cudaOccResult result;
  cudaOccError status;
  int most, size, bestSize = 0, bestBlocks = 0, bestThreads = 0;
  if (!minGridSize || !blockSize || !properties || !attributes || !state)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  status = cudaOccInputCheck(properties, attributes, state);
  if (status != CUDA_OCC_SUCCESS)
    return status;
  most = cufortOccMin(properties->maxThreadsPerBlock,
                      attributes->maxThreadsPerBlock);
  for (size = cufortOccRoundUp(most, properties->warpSize);
       size > 0 && bestThreads != properties->maxThreadsPerMultiprocessor;
       size -= properties->warpSize) {
    int tried = cufortOccMin(size, most);
    status = cudaOccMaxActiveBlocksPerMultiprocessor(&result, properties,
                                                     attributes, state, tried,
                                                     sharedOf(context, tried));
    if (status != CUDA_OCC_SUCCESS)
      return status;
    if (result.activeBlocksPerMultiprocessor * tried > bestThreads) {
      bestSize = tried;
      bestBlocks = result.activeBlocksPerMultiprocessor;
      bestThreads = bestBlocks * tried;
    }
  }
  *minGridSize = bestBlocks * properties->numSms;
  *blockSize = bestSize;
  return status;
}

typedef struct cufortOccShared {
  size_t (*ofBlockSize)(int);
  size_t constant;
} cufortOccShared;

CUFORT_OCC size_t cufortOccCallShared(void *context, int blockSize) {
  const cufortOccShared *shared = (const cufortOccShared *)context;
  return shared->ofBlockSize ? shared->ofBlockSize(blockSize)
                             : shared->constant;
}

// The block size with which a multiprocessor holds most threads, 0 where the
// kernel cannot run, and the blocks that fill the device. A block of n threads
// has blockSizeToDynamicSMemSize(n) bytes of dynamic shared memory, or
// dynamicSMemSize where that is null.
CUFORT_OCC cudaOccError cudaOccMaxPotentialOccupancyBlockSize(
    int *minGridSize, int *blockSize, const cudaOccDeviceProp *properties,
    const cudaOccFuncAttributes *attributes, const cudaOccDeviceState *state,
    size_t (*blockSizeToDynamicSMemSize)(int), size_t dynamicSMemSize) {
  cufortOccShared shared;
  shared.ofBlockSize = blockSizeToDynamicSMemSize;
  shared.constant = dynamicSMemSize;
  return cufortOccSearch(minGridSize, blockSize, properties, attributes, state,
                         cufortOccCallShared, &shared);
}

#ifdef __cplusplus
// The same with one size for all blocks.
CUFORT_OCC cudaOccError cudaOccMaxPotentialOccupancyBlockSize(
    int *minGridSize, int *blockSize, const cudaOccDeviceProp *properties,
    const cudaOccFuncAttributes *attributes, const cudaOccDeviceState *state,
    size_t dynamicSMemSize = 0) {
  return cudaOccMaxPotentialOccupancyBlockSize(minGridSize, blockSize,
                                               properties, attributes, state,
                                               NULL, dynamicSMemSize);
}

template <typename UnaryFunction>
CUFORT_OCC size_t cufortOccCallFunction(void *function, int blockSize) {
  return (size_t)(*static_cast<UnaryFunction *>(function))(blockSize);
}

// The same with a size that a function object computes.
template <typename UnaryFunction>
CUFORT_OCC cudaOccError cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(
    int *minGridSize, int *blockSize, const cudaOccDeviceProp *properties,
    const cudaOccFuncAttributes *attributes, const cudaOccDeviceState *state,
    UnaryFunction blockSizeToDynamicSMemSize) {
  return cufortOccSearch(minGridSize, blockSize, properties, attributes, state,
                         cufortOccCallFunction<UnaryFunction>,
                         &blockSizeToDynamicSMemSize);
}
#endif

#undef CUFORT_OCC_MEMBER
#undef CUFORT_OCC

#endif // CUFORT_CUDA_OCCUPANCY_H
