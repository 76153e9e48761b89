//===- Execution.cpp - CUDA runtime API: kernels -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/Types.h"
#include "runtime/core/Device.h"
#include <algorithm>
#include <cstring>
#include <vector>

using namespace cufort;

namespace {

struct PushedConfiguration {
  dim3 grid, block;
  size_t sharedBytes;
  cudaStream_t stream;
};

/// Chevrons in C push a configuration that the host stub pops.
thread_local std::vector<PushedConfiguration> Pushed;

cudaError_t launch(const void *stub, dim3 grid, dim3 block, void **parameters,
                   size_t sharedBytes, cudaStream_t stream, bool cooperative) {
  return onDevice([&](Engine &e) {
    KernelReference kernel = findKernel(stub);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    if (sharedBytes > UINT32_MAX)
      return cudaErrorInvalidValue;
    LaunchConfiguration configuration{{grid.x, grid.y, grid.z},
                                      {block.x, block.y, block.z},
                                      static_cast<uint32_t>(sharedBytes),
                                      stream,
                                      cooperative};
    return e.launch(kernel, configuration, parameters);
  });
}

} // namespace

CUFORT_API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                                size_t sharedBytes,
                                                cudaStream_t stream) {
  return recordError(catchExhaustion([&] {
    Pushed.push_back({grid, block, sharedBytes, stream});
    return cudaSuccess;
  }));
}

CUFORT_API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block,
                                                  size_t *sharedBytes,
                                                  void *stream) {
  if (Pushed.empty())
    return recordError(cudaErrorMissingConfiguration);
  const PushedConfiguration &top = Pushed.back();
  *grid = top.grid;
  *block = top.block;
  *sharedBytes = top.sharedBytes;
  std::memcpy(stream, &top.stream, sizeof(top.stream));
  Pushed.pop_back();
  return cudaSuccess;
}

CUFORT_API cudaError_t cudaLaunchKernel(const void *stub, dim3 grid, dim3 block,
                                        void **parameters, size_t sharedBytes,
                                        cudaStream_t stream) {
  return launch(stub, grid, block, parameters, sharedBytes, stream, false);
}

CUFORT_API cudaError_t cudaLaunchCooperativeKernel(const void *stub, dim3 grid,
                                                   dim3 block,
                                                   void **parameters,
                                                   size_t sharedBytes,
                                                   cudaStream_t stream) {
  return launch(stub, grid, block, parameters, sharedBytes, stream, true);
}

CUFORT_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c,
                                           const void *stub,
                                           void **parameters) {
  if (!c || (c->numAttrs && !c->attrs))
    return recordError(cudaErrorInvalidValue);
  bool cooperative = false;
  for (unsigned i = 0; i < c->numAttrs; ++i)
    switch (c->attrs[i].id) {
    case 0: // ignored
    case 1: // access policy, a hint
    case 8: // priority, a hint
      break;
    case 2:
      cooperative = c->attrs[i].val.cooperative;
      break;
    default: // clusters, programmatic events and the like
      return recordError(cudaErrorNotSupported);
    }
  return launch(stub, c->gridDim, c->blockDim, parameters, c->dynamicSmemBytes,
                c->stream, cooperative);
}

CUFORT_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *result,
                                             const void *stub) {
  if (!result)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    KernelReference kernel = findKernel(stub);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    KernelAttributes a{};
    Error error = e.attributes(kernel, &a);
    if (error != cudaSuccess)
      return error;
    *result = {};
    result->sharedSizeBytes = a.sharedBytes;
    result->constSizeBytes = a.constantBytes;
    result->localSizeBytes = a.localBytes;
    result->maxThreadsPerBlock = a.maxThreadsPerBlock;
    result->numRegs = a.registers;
    result->ptxVersion = a.ptxVersion;
    result->binaryVersion = a.binaryVersion;
    result->maxDynamicSharedSizeBytes = a.maxDynamicSharedBytes;
    result->preferredShmemCarveout = -1;
    return cudaSuccess;
  });
}

CUFORT_API cudaError_t cudaFuncSetAttribute(const void *stub, int attribute,
                                            int value) {
  return onDevice([&](Engine &e) {
    KernelReference kernel = findKernel(stub);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    if (attribute == 8) // the maximum of dynamic shared memory
      return e.setMaxDynamicShared(kernel, value);
    // 9: how to divide cache and shared memory in percent, a hint.
    return attribute == 9 && value >= -1 && value <= 100
               ? cudaSuccess
               : cudaErrorInvalidValue;
  });
}

CUFORT_API cudaError_t cudaFuncSetCacheConfig(const void *stub, int config) {
  if (config < 0 || config > 3)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    KernelReference kernel = findKernel(stub);
    return kernel ? e.setCacheConfiguration(kernel, config)
                  : cudaErrorInvalidDeviceFunction;
  });
}

CUFORT_API cudaError_t cudaFuncSetSharedMemConfig(const void *stub,
                                                  int config) {
  if (config < 0 || config > 2)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &) {
    return findKernel(stub) ? cudaSuccess : cudaErrorInvalidDeviceFunction;
  });
}

CUFORT_API cudaError_t cudaFuncGetName(const char **name, const void *stub) {
  if (!name)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &) {
    KernelReference kernel = findKernel(stub);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    *name = kernel.kernel->name;
    return cudaSuccess;
  });
}

// Devices without double precision are gone.
CUFORT_API cudaError_t cudaSetDoubleForDevice(double *value) {
  return recordError(value ? cudaSuccess : cudaErrorInvalidValue);
}

CUFORT_API cudaError_t cudaSetDoubleForHost(double *value) {
  return recordError(value ? cudaSuccess : cudaErrorInvalidValue);
}

//===----------------------------------------------------------------------===//
// Occupancy
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, const void *stub, int threads, size_t dynamicSharedBytes) {
  if (!blocks || threads < 1)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    KernelReference kernel = findKernel(stub);
    int multiprocessors;
    return kernel
               ? e.residentBlocks(kernel, static_cast<unsigned>(threads),
                                  dynamicSharedBytes, blocks, &multiprocessors)
               : cudaErrorInvalidDeviceFunction;
  });
}

CUFORT_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *stub, int threads, size_t dynamicSharedBytes,
    unsigned flags) {
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
    KernelReference kernel = findKernel(stub);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    const DeviceProperties &p = e.properties();
    const size_t each =
        p.sharedBytesPerMultiprocessor / static_cast<size_t>(blocks);
    const size_t most = std::min(each, p.sharedBytesPerBlockOptIn);
    *bytes = most - std::min<size_t>(most, kernel.kernel->staticSharedBytes);
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
    KernelReference kernel = findKernel(stub);
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
