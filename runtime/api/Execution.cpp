//===- Execution.cpp - CUDA runtime API: kernels -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/Types.h"
#include "runtime/core/Device.h"
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
  Pushed.push_back({grid, block, sharedBytes, stream});
  return 0;
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
    // 9: how to divide cache and shared memory, a hint.
    return attribute == 9 ? cudaSuccess : cudaErrorInvalidValue;
  });
}

CUFORT_API cudaError_t cudaFuncSetCacheConfig(const void *stub, int config) {
  if (config < 0 || config > 3)
    return recordError(cudaErrorInvalidValue);
  return recordError(findKernel(stub) ? cudaSuccess
                                      : cudaErrorInvalidDeviceFunction);
}

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
