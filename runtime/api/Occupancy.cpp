//===- Occupancy.cpp - CUDA runtime API: occupancy ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/LaunchAttributes.h"
#include "runtime/core/Device.h"
#include "runtime/core/Libraries.h"
#include <algorithm>

using namespace cufort;

CUFORT_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, const void *stub, int threads, size_t dynamicSharedBytes) {
  if (!blocks || threads < 1)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    KernelReference kernel = kernelNamed(stub);
    const DeviceProperties &p = e.properties();
    int multiprocessors;
    // No block that cannot be launched is resident.
    if (kernel && (threads > p.maxThreadsPerBlock ||
                   dynamicSharedBytes > p.dynamicSharedBytes(1, 0))) {
      *blocks = 0;
      return cudaSuccess;
    }
    return kernel
               ? e.residentBlocks(kernel, static_cast<unsigned>(threads),
                                  dynamicSharedBytes, blocks, &multiprocessors)
               : cudaErrorInvalidDeviceFunction;
  });
}

CUFORT_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *stub, int threads, size_t dynamicSharedBytes,
    unsigned flags) {
  const profile::Call recorded;
  // 1: without the effect of caching on occupancy, of no consequence today.
  if (flags > 1)
    return recordError(cudaErrorInvalidValue);
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, stub, threads,
                                                       dynamicSharedBytes);
}

CUFORT_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(
    size_t *bytes, const void *stub, int blocks, int threads) {
  if (!bytes || blocks < 1 || threads < 1)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    KernelReference kernel = kernelNamed(stub);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    const DeviceProperties &p = e.properties();
    if (threads > p.maxThreadsPerBlock ||
        blocks > p.maxBlocksPerMultiprocessor ||
        blocks > p.maxThreadsPerMultiprocessor / threads)
      return cudaErrorInvalidValue;
    *bytes = p.dynamicSharedBytes(blocks, kernel.kernel->staticSharedBytes);
    return cudaSuccess;
  });
}

/// What cudaOccupancyMaxPotentialBlockSize of CUDA's C++ header computes: the
/// block with which most threads are resident, and the grid that fills the
/// device with it.
CUFORT_API cudaError_t __cufort_potential_block_size(int *grid, int *block,
                                                     const void *stub,
                                                     size_t dynamicSharedBytes,
                                                     int limit) {
  if (!grid || !block || limit < 0)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    KernelReference kernel = kernelNamed(stub);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    KernelAttributes a{};
    if (const Error error = e.attributes(kernel, &a); error != cudaSuccess)
      return error;
    const DeviceProperties &p = e.properties();
    int most = std::min(p.maxThreadsPerBlock, a.maxThreadsPerBlock);
    if (limit)
      most = std::min(most, limit);
    int resident = 0;
    *grid = *block = 0;
    // From the largest on in whole warps, the first of equals wins.
    for (int threads = most; threads > 0;
         threads = (threads - 1) / p.warpSize * p.warpSize) {
      int each = 0, multiprocessors = 0;
      if (const Error error =
              e.residentBlocks(kernel, static_cast<unsigned>(threads),
                               dynamicSharedBytes, &each, &multiprocessors);
          error != cudaSuccess)
        return error;
      if (each * threads > resident) {
        resident = each * threads;
        *block = threads;
        *grid = each * multiprocessors;
      }
    }
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

/// Calls \p call(Engine &, kernel, configuration) with what \p c says.
template <typename Call>
static cudaError_t withConfiguration(
    const cudaLaunchConfig_t *c, const void *stub, Call call,
    const std::source_location &where = std::source_location::current()) {
  const profile::Call recorded(where);
  if (!c || (c->numAttrs && !c->attrs) || c->dynamicSmemBytes > UINT32_MAX)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    KernelReference kernel = kernelNamed(stub);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    if (!e.properties().clusterLaunch)
      return cudaErrorNotSupported;
    LaunchAttributes a;
    if (const cudaError_t error = readAttributes(*c, &a); error != cudaSuccess)
      return error;
    return call(
        e, kernel,
        LaunchConfiguration{{c->gridDim.x, c->gridDim.y, c->gridDim.z},
                            {c->blockDim.x, c->blockDim.y, c->blockDim.z},
                            static_cast<uint32_t>(c->dynamicSmemBytes),
                            c->stream,
                            a.cooperative,
                            {a.cluster.x, a.cluster.y, a.cluster.z}});
  });
}

CUFORT_API cudaError_t cudaOccupancyMaxPotentialClusterSize(
    int *blocks, const void *stub, const cudaLaunchConfig_t *c) {
  if (!blocks)
    return recordError(cudaErrorInvalidValue);
  return withConfiguration(
      c, stub, [&](Engine &e, const auto &kernel, const auto &configuration) {
        return e.maxClusterSize(kernel, configuration, blocks);
      });
}

CUFORT_API cudaError_t cudaOccupancyMaxActiveClusters(
    int *clusters, const void *stub, const cudaLaunchConfig_t *c) {
  if (!clusters)
    return recordError(cudaErrorInvalidValue);
  return withConfiguration(
      c, stub, [&](Engine &e, const auto &kernel, const auto &configuration) {
        return e.residentClusters(kernel, configuration, clusters);
      });
}
