//===- occupancy_limits.h - what limits the blocks on an SM -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second part of cuda_occupancy.h, which includes it after its types: the
// table of compute capabilities, and how many blocks each resource alone lets a
// multiprocessor hold.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_OCCUPANCY_LIMITS_H
#define CUFORT_OCCUPANCY_LIMITS_H

//===----------------------------------------------------------------------===//
// What a compute capability has
//===----------------------------------------------------------------------===//

// One row of the table of compute capabilities.
typedef struct cufortOccCapability {
  int blocks;            // that a multiprocessor holds
  int barriersPerBlock;  // when it holds them all
  int subPartitions;     // of a multiprocessor
  int registers;         // that a thread may have
  int sharedGranularity; // bytes
  int virtualResources;  // of a multiprocessor
  int partitionedCaching;
  // Shared memory comes in these sizes: a bit for each of cufortOccCarveouts,
  // none where it has its own memory.
  unsigned carveouts;
} cufortOccCapability;

// The sizes of shared memory, in KB, of all multiprocessors.
CUFORT_OCC int cufortOccCarveout(int index) {
  const int sizes[] = {0, 8, 16, 32, 64, 96, 100, 132, 164, 196, 228};
  return sizes[index];
}
enum { cufortOccCarveoutCount = 11 };

CUFORT_OCC cudaOccError cufortOccFind(cufortOccCapability *capability,
                                      int major, int minor) {
  // Sizes up to 64 KB and then 96; 100; 100, 132 and 164; those, 196 and 228.
  const unsigned upTo64 = 0x1f, to96 = upTo64 | 1u << 5, to100 = upTo64 | 0x40,
                 to164 = to100 | 0x180, to228 = to164 | 0x600;
  cufortOccCapability found = {32, 2, 4, 256, 128, 0, 0, 0};
  if (major < 8) {
    found.sharedGranularity = 256;
    if (major < 7)
      found.registers = 255;
  }
  if (major > 9)
    found.virtualResources = 128;
  switch (major) {
  case 3:
    found.blocks = 16;
    break;
  case 5:
    found.partitionedCaching = minor == 2 || minor == 3;
    break;
  case 6:
    found.partitionedCaching = minor != 0;
    if (minor == 0)
      found.subPartitions = 2;
    break;
  case 7:
    found.carveouts = to96;
    if (minor == 5) {
      found.blocks = 16;
      found.carveouts = 0x18;
    }
    break;
  case 8:
    found.carveouts = minor == 0 || minor == 7 ? to164 : to100;
    if (minor != 0) {
      found.blocks = minor == 9 ? 24 : 16;
      found.barriersPerBlock = 1;
    }
    break;
  case 9:
    found.carveouts = to228;
    break;
  case 10:
  case 11:
    if (minor == 0 || minor == 1 || minor == 3)
      found.carveouts = to228;
    // 10.1 and 11.0 are the same chip under two numbers.
    if (minor == (major == 10 ? 1 : 0)) {
      found.blocks = 24;
      found.barriersPerBlock = 1;
    }
    break;
  case 12:
    if (minor == 0 || minor == 1)
      found.carveouts = to100;
    found.blocks = 24;
    found.barriersPerBlock = 1;
    break;
  default:
    return CUDA_OCC_ERROR_UNKNOWN_DEVICE;
  }
  *capability = found;
  return CUDA_OCC_SUCCESS;
}

CUFORT_OCC int cufortOccMin(int a, int b) { return a < b ? a : b; }

// Up to the next multiple.
CUFORT_OCC int cufortOccRoundUp(int value, int multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Each of these answers with one column of the table.
#define CUFORT_OCC_COLUMN(name, type, column)                                  \
  CUFORT_OCC cudaOccError name(type *limit,                                    \
                               const cudaOccDeviceProp *properties) {          \
    cufortOccCapability capability;                                            \
    cudaOccError status = cufortOccFind(&capability, properties->computeMajor, \
                                        properties->computeMinor);             \
    if (status == CUDA_OCC_SUCCESS)                                            \
      *limit = (type)capability.column;                                        \
    return status;                                                             \
  }
CUFORT_OCC_COLUMN(cudaOccSMemAllocationGranularity, int, sharedGranularity)
CUFORT_OCC_COLUMN(cudaOccRegAllocationMaxPerThread, int, registers)
CUFORT_OCC_COLUMN(cudaOccSubPartitionsPerMultiprocessor, int, subPartitions)
CUFORT_OCC_COLUMN(cudaOccMaxBlocksPerMultiprocessor, int, blocks)
CUFORT_OCC_COLUMN(cufortOccBarriersPerBlock, int, barriersPerBlock)
#undef CUFORT_OCC_COLUMN

// Registers are given to warps in such pieces.
CUFORT_OCC cudaOccError cudaOccRegAllocationGranularity(
    int *limit, const cudaOccDeviceProp *properties) {
  cufortOccCapability capability;
  cudaOccError status = cufortOccFind(&capability, properties->computeMajor,
                                      properties->computeMinor);
  if (status == CUDA_OCC_SUCCESS)
    *limit = 256;
  return status;
}

// Devices that are not known have neither of these two.
CUFORT_OCC cudaOccError cudaOccPartitionedGlobalCachingModeSupport(
    cudaOccPartitionedGCSupport *support, const cudaOccDeviceProp *properties) {
  cufortOccCapability capability;
  *support = cufortOccFind(&capability, properties->computeMajor,
                           properties->computeMinor) == CUDA_OCC_SUCCESS &&
                     capability.partitionedCaching
                 ? PARTITIONED_GC_SUPPORTED
                 : PARTITIONED_GC_NOT_SUPPORTED;
  return CUDA_OCC_SUCCESS;
}
CUFORT_OCC cudaOccError cudaOccMaxVirtualResourceCountPerSM(
    int *count, const cudaOccDeviceProp *properties) {
  cufortOccCapability capability;
  *count = cufortOccFind(&capability, properties->computeMajor,
                         properties->computeMinor) == CUDA_OCC_SUCCESS
               ? capability.virtualResources
               : 0;
  return CUDA_OCC_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

// The least size that the memory of cache and shared memory can be split at
// and that holds *size bytes (from 7.0 on).
CUFORT_OCC cudaOccError cudaOccAlignUpShmemSizeVoltaPlus(
    size_t *size, const cudaOccDeviceProp *properties) {
  int index;
  cufortOccCapability capability;
  cudaOccError status = cufortOccFind(&capability, properties->computeMajor,
                                      properties->computeMinor);
  if (status != CUDA_OCC_SUCCESS)
    return status;
  if (capability.carveouts == 0)
    return CUDA_OCC_ERROR_UNKNOWN_DEVICE;
  for (index = 0; index < cufortOccCarveoutCount; ++index) {
    size_t carveout = (size_t)cufortOccCarveout(index) * 1024;
    if ((capability.carveouts >> index & 1u) != 0 && *size <= carveout) {
      *size = carveout;
      return CUDA_OCC_SUCCESS;
    }
  }
  return CUDA_OCC_ERROR_INVALID_INPUT;
}

// Bytes of shared memory that a multiprocessor has in the device's state: up to
// 6.x by the preference for the cache,
CUFORT_OCC cudaOccError
cudaOccSMemPreference(size_t *limit, const cudaOccDeviceProp *properties,
                      const cudaOccDeviceState *state) {
  int major = properties->computeMajor;
  cufortOccCapability capability;
  cudaOccError status =
      cufortOccFind(&capability, major, properties->computeMinor);
  if (status != CUDA_OCC_SUCCESS)
    return status;
  if (major >= 7)
    return CUDA_OCC_ERROR_UNKNOWN_DEVICE;
  *limit = properties->sharedMemPerMultiprocessor;
  // 64 KB for both, of which the cache takes 16, 32 or 48 on 3.x.
  if (major == 3 && state->cacheConfig == CACHE_PREFER_L1)
    *limit -= 32768;
  if (major == 3 && state->cacheConfig == CACHE_PREFER_EQUAL)
    *limit -= 16384;
  return CUDA_OCC_SUCCESS;
}

// and from 7.0 on by the carve-out, or the preference where there is none.
CUFORT_OCC cudaOccError cudaOccSMemPreferenceVoltaPlus(
    size_t *limit, const cudaOccDeviceProp *properties,
    const cudaOccDeviceState *state) {
  int carveout = state->carveoutConfig;
  if (carveout < SHAREDMEM_CARVEOUT_DEFAULT ||
      carveout > SHAREDMEM_CARVEOUT_MAX_SHARED)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  if (carveout == SHAREDMEM_CARVEOUT_DEFAULT) {
    if (state->cacheConfig == CACHE_PREFER_L1)
      carveout = SHAREDMEM_CARVEOUT_MAX_L1;
    if (state->cacheConfig == CACHE_PREFER_SHARED)
      carveout = SHAREDMEM_CARVEOUT_MAX_SHARED;
    if (state->cacheConfig == CACHE_PREFER_EQUAL)
      carveout = SHAREDMEM_CARVEOUT_HALF;
  }
  *limit = properties->sharedMemPerMultiprocessor;
  if (carveout != SHAREDMEM_CARVEOUT_DEFAULT)
    *limit = (size_t)carveout * *limit / 100;
  return cudaOccAlignUpShmemSizeVoltaPlus(limit, properties);
}

CUFORT_OCC cudaOccError
cudaOccSMemPerMultiprocessor(size_t *limit, const cudaOccDeviceProp *properties,
                             const cudaOccDeviceState *state) {
  return properties->computeMajor < 7
             ? cudaOccSMemPreference(limit, properties, state)
             : cudaOccSMemPreferenceVoltaPlus(limit, properties, state);
}

// Bytes that a block may have which uses `used` of them, those that the driver
// reserves included.
CUFORT_OCC cudaOccError cudaOccSMemPerBlock(size_t *limit,
                                            const cudaOccDeviceProp *properties,
                                            cudaOccFuncShmemConfig config,
                                            size_t used) {
  cufortOccCapability capability;
  cudaOccError status = cufortOccFind(&capability, properties->computeMajor,
                                      properties->computeMinor);
  if (status != CUDA_OCC_SUCCESS)
    return status;
  *limit = properties->sharedMemPerBlock;
  if (properties->computeMajor >= 7 && config == FUNC_SHMEM_LIMIT_OPTIN &&
      used > properties->sharedMemPerBlock)
    *limit = properties->sharedMemPerBlockOptin;
  if (properties->computeMajor >= 8)
    *limit += properties->reservedSharedMemPerBlock;
  return CUDA_OCC_SUCCESS;
}

// How many blocks shared memory lets a multiprocessor hold. Its size is that of
// the device's state, or, where a single block needs more, the least that will
// do.
CUFORT_OCC cudaOccError cudaOccMaxBlocksPerSMSmemLimit(
    int *limit, cudaOccResult *result, const cudaOccDeviceProp *properties,
    const cudaOccFuncAttributes *attributes, const cudaOccDeviceState *state,
    int blockSize, size_t dynamicSmemSize) {
  int granularity = 0;
  size_t available = 0, perBlock = 0, fixed, used;
  cudaOccError status =
      cudaOccSMemAllocationGranularity(&granularity, properties);
  (void)blockSize;
  if (status == CUDA_OCC_SUCCESS)
    status = cudaOccSMemPerMultiprocessor(&available, properties, state);
  if (status != CUDA_OCC_SUCCESS)
    return status;
  fixed = attributes->sharedSizeBytes + properties->reservedSharedMemPerBlock;
  used = (size_t)cufortOccRoundUp((int)(fixed + dynamicSmemSize), granularity);
  status =
      cudaOccSMemPerBlock(&perBlock, properties, attributes->shmemLimitConfig,
                          fixed + attributes->maxDynamicSharedSizeBytes);
  if (status != CUDA_OCC_SUCCESS)
    return status;
  if (used > perBlock ||
      (attributes->shmemLimitConfig != FUNC_SHMEM_LIMIT_DEFAULT &&
       dynamicSmemSize > attributes->maxDynamicSharedSizeBytes)) {
    *limit = 0;
  } else {
    if (available < used && properties->computeMajor < 7)
      available = properties->sharedMemPerMultiprocessor;
    if (available < used && properties->computeMajor >= 7) {
      available = used;
      status = cudaOccAlignUpShmemSizeVoltaPlus(&available, properties);
      if (status != CUDA_OCC_SUCCESS)
        return status;
    }
    *limit = used == 0 ? INT_MAX : (int)(available / used);
  }
  result->allocatedSharedMemPerBlock = used;
  return CUDA_OCC_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Warps, registers, barriers and virtual resources
//===----------------------------------------------------------------------===//

CUFORT_OCC int cufortOccWarps(const cudaOccDeviceProp *properties,
                              int blockSize) {
  return (blockSize + properties->warpSize - 1) / properties->warpSize;
}

CUFORT_OCC cudaOccError cudaOccMaxBlocksPerSMWarpsLimit(
    int *limit, cudaOccPartitionedGCConfig caching,
    const cudaOccDeviceProp *properties,
    const cudaOccFuncAttributes *attributes, int blockSize) {
  int most = properties->maxThreadsPerMultiprocessor / properties->warpSize;
  int warps = cufortOccWarps(properties, blockSize);
  (void)attributes;
  if (blockSize > properties->maxThreadsPerBlock)
    *limit = 0;
  else if (caching == PARTITIONED_GC_OFF)
    *limit = most / warps;
  else
    *limit = most / 2 / warps * 2;
  return CUDA_OCC_SUCCESS;
}

// Registers belong to a sub-partition and its warps. *caching is turned off
// where a block does not fit into half of a multiprocessor.
CUFORT_OCC cudaOccError cudaOccMaxBlocksPerSMRegsLimit(
    int *limit, cudaOccPartitionedGCConfig *caching, cudaOccResult *result,
    const cudaOccDeviceProp *properties,
    const cudaOccFuncAttributes *attributes, int blockSize) {
  int granularity = 0, most = 0, partitions = 0, warps, perWarp;
  cudaOccError status =
      cudaOccRegAllocationGranularity(&granularity, properties);
  if (status == CUDA_OCC_SUCCESS)
    status = cudaOccRegAllocationMaxPerThread(&most, properties);
  if (status == CUDA_OCC_SUCCESS)
    status = cudaOccSubPartitionsPerMultiprocessor(&partitions, properties);
  if (status != CUDA_OCC_SUCCESS)
    return status;
  warps = cufortOccWarps(properties, blockSize);
  perWarp =
      cufortOccRoundUp(attributes->numRegs * properties->warpSize, granularity);
  result->allocatedRegistersPerBlock = perWarp * warps;
  // A block must fit as though each sub-partition held as many of its warps.
  if (properties->regsPerBlock <
          perWarp * cufortOccRoundUp(warps, partitions) ||
      attributes->numRegs > most) {
    *limit = 0;
  } else if (perWarp == 0) {
    *limit = INT_MAX;
  } else {
    int perPartition = properties->regsPerMultiprocessor / partitions / perWarp;
    *limit = 0;
    if (*caching != PARTITIONED_GC_OFF)
      *limit = perPartition * (partitions / 2) / warps * 2;
    if (*limit == 0 && *caching != PARTITIONED_GC_ON_STRICT) {
      *caching = PARTITIONED_GC_OFF;
      *limit = perPartition * partitions / warps;
    }
  }
  return CUDA_OCC_SUCCESS;
}

CUFORT_OCC cudaOccError cudaOccMaxBlocksPerSMBlockBarrierLimit(
    int *limit, int blocks, const cudaOccDeviceProp *properties,
    const cudaOccFuncAttributes *attributes) {
  int perBlock = 0;
  cudaOccError status = cufortOccBarriersPerBlock(&perBlock, properties);
  if (status != CUDA_OCC_SUCCESS)
    return status;
  if (properties->computeMajor < 5)
    return CUDA_OCC_ERROR_UNKNOWN_DEVICE;
  *limit = attributes->numBlockBarriers == 0
               ? INT_MAX
               : blocks * perBlock / attributes->numBlockBarriers;
  return CUDA_OCC_SUCCESS;
}

CUFORT_OCC cudaOccError cudaOccMaxBlocksPerSMVirtualResource(
    int *limit, const cudaOccDeviceProp *properties,
    const cudaOccFuncAttributes *attributes) {
  int most = 0;
  cudaOccError status = cudaOccMaxVirtualResourceCountPerSM(&most, properties);
  *limit = most <= 0 || attributes->virtualResourceCount <= 0
               ? INT_MAX
               : most / attributes->virtualResourceCount;
  return status;
}

#endif // CUFORT_OCCUPANCY_LIMITS_H
