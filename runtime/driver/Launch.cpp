//===- Launch.cpp - CUDA driver API: functions and launches ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/LaunchAttributes.h"
#include "runtime/driver/Function.h"
#include <algorithm>

using namespace cufort;
using namespace cufort::driver;

Error driver::resolve(CUfunction function, FunctionHandle *handle) {
  if (!function)
    return cudaErrorInvalidResourceHandle;
  if (const Error error = functionOfKernel(function, handle);
      error != cudaErrorInvalidResourceHandle)
    return error;
  if (!isFunction(function) || function->device != currentDevice())
    return cudaErrorInvalidResourceHandle;
  *handle = function->handle;
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

CUFORT_DRIVER_API CUresult cuFuncGetModule(CUmodule *module,
                                           CUfunction function) {
  return onFunction(function, [&](Modules &, FunctionHandle handle) {
    if (!module)
      return cudaErrorInvalidValue;
    LibraryHandle library = nullptr;
    const char *name = nullptr;
    if (libraryOfKernel(function, &library, &name) == cudaSuccess)
      return moduleOf(library, module);
    // The program's own kernels are in none that was loaded.
    if (!function->module || !*handle)
      return cudaErrorInvalidResourceHandle;
    *module = function->module;
    return cudaSuccess;
  });
}

CUFORT_DRIVER_API CUresult cuFuncGetName(const char **name,
                                         CUfunction function) {
  return onFunction(function, [&](Modules &, FunctionHandle) {
    if (!name)
      return cudaErrorInvalidValue;
    LibraryHandle library = nullptr;
    if (libraryOfKernel(function, &library, name) != cudaSuccess)
      *name = function->name.c_str();
    return cudaSuccess;
  });
}

CUFORT_DRIVER_API CUresult cuFuncGetAttribute(int *value,
                                              CUfunction_attribute attribute,
                                              CUfunction function) {
  return onFunction(function, [&](Modules &m, FunctionHandle handle) {
    return value ? m.attribute(handle, attribute, value)
                 : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult cuFuncSetAttribute(CUfunction function,
                                              CUfunction_attribute attribute,
                                              int value) {
  return onFunction(function, [&](Modules &m, FunctionHandle handle) {
    return m.setAttribute(handle, attribute, value);
  });
}

// Hints.
CUFORT_DRIVER_API CUresult cuFuncSetSharedMemConfig(CUfunction function,
                                                    CUsharedconfig config) {
  return onFunction(function, [&](Modules &, FunctionHandle) {
    return numberOf(config) >= CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE &&
                   numberOf(config) <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE
               ? cudaSuccess
               : cudaErrorInvalidValue;
  });
}
CUFORT_DRIVER_API CUresult cuFuncSetCacheConfig(CUfunction function,
                                                CUfunc_cache config) {
  return onFunction(function, [&](Modules &, FunctionHandle) {
    return config <= CU_FUNC_CACHE_PREFER_EQUAL ? cudaSuccess
                                                : cudaErrorInvalidValue;
  });
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Reads CU_LAUNCH_PARAM_BUFFER_POINTER and _SIZE up to _END.
static bool readExtra(void **extra, LaunchParameters *parameters) {
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2)
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      parameters->packed = extra[1];
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
      parameters->packedBytes = *static_cast<size_t *>(extra[1]);
    else
      return false;
  return parameters->packed;
}

static CUresult launch(CUfunction function, const LaunchConfiguration &c,
                       void **parameters, void **extra) {
  return onFunction(function, [&](Modules &m, FunctionHandle handle) {
    LaunchParameters p{parameters};
    if ((parameters && extra) || (extra && !readExtra(extra, &p)))
      return cudaErrorInvalidValue;
    return m.launch(handle, c, p);
  });
}

CUFORT_DRIVER_API CUresult cuLaunchKernel(CUfunction function, unsigned gridX,
                                          unsigned gridY, unsigned gridZ,
                                          unsigned blockX, unsigned blockY,
                                          unsigned blockZ, unsigned sharedBytes,
                                          CUstream stream, void **parameters,
                                          void **extra) {
  return launch(
      function,
      {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes, stream},
      parameters, extra);
}

CUFORT_DRIVER_API CUresult cuLaunchCooperativeKernel(
    CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
    unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
    CUstream stream, void **parameters) {
  return onFunction(function, [&](Modules &m, FunctionHandle handle) {
    return m.launch(handle,
                    {{gridX, gridY, gridZ},
                     {blockX, blockY, blockZ},
                     sharedBytes,
                     stream,
                     /*cooperative=*/true},
                    {parameters});
  });
}

/// A launch as the driver API describes it.
static Error configurationOf(const CUlaunchConfig *c,
                             LaunchConfiguration *result) {
  if (!c || (c->numAttrs && !c->attrs))
    return cudaErrorInvalidValue;
  static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute));
  cudaLaunchConfig_t given{};
  given.attrs = reinterpret_cast<cudaLaunchAttribute *>(c->attrs);
  given.numAttrs = c->numAttrs;
  LaunchAttributes attributes;
  if (const Error error = readAttributes(given, &attributes);
      error != cudaSuccess)
    return error;
  *result = {{c->gridDimX, c->gridDimY, c->gridDimZ},
             {c->blockDimX, c->blockDimY, c->blockDimZ},
             c->sharedMemBytes,
             c->hStream,
             attributes.cooperative,
             {attributes.cluster.x, attributes.cluster.y, attributes.cluster.z},
             attributes.overlaps};
  return cudaSuccess;
}

CUFORT_DRIVER_API CUresult cuLaunchKernelEx(const CUlaunchConfig *config,
                                            CUfunction function,
                                            void **parameters, void **extra) {
  LaunchConfiguration c;
  if (const CUresult result =
          inContext([&] { return configurationOf(config, &c); }))
    return result;
  return launch(function, c, parameters, extra);
}

//===----------------------------------------------------------------------===//
// Occupancy
//===----------------------------------------------------------------------===//

CUFORT_DRIVER_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, CUfunction function, int threads, size_t sharedBytes,
    unsigned flags) {
  return onFunction(function, [&](Modules &m, FunctionHandle handle) {
    if (!blocks || threads < 1 || flags > 1)
      return cudaErrorInvalidValue;
    return m.residentBlocks(handle, static_cast<unsigned>(threads), sharedBytes,
                            blocks);
  });
}

CUFORT_DRIVER_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, CUfunction function, int threads, size_t sharedBytes) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, function, threads, sharedBytes, 0);
}

/// As cudaOccupancyMaxPotentialBlockSize: whole warps from the largest block
/// on, the first of equals wins.
CUFORT_DRIVER_API CUresult cuOccupancyMaxPotentialBlockSize(
    int *grid, int *block, CUfunction function,
    CUoccupancyB2DSize sharedOfBlock, size_t sharedBytes, int limit) {
  return onFunction(function, [&](Modules &m, FunctionHandle handle) {
    if (!grid || !block || limit < 0)
      return cudaErrorInvalidValue;
    int most = 0;
    if (Error error =
            m.attribute(handle, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &most);
        error != cudaSuccess)
      return error;
    const DeviceProperties &p = deviceAt(currentDevice())->properties();
    most = std::min(most, p.maxThreadsPerBlock);
    if (limit)
      most = std::min(most, limit);
    int resident = 0;
    *grid = *block = 0;
    for (int threads = most; threads > 0;
         threads = (threads - 1) / p.warpSize * p.warpSize) {
      int each = 0;
      if (Error error = m.residentBlocks(
              handle, static_cast<unsigned>(threads),
              sharedOfBlock ? sharedOfBlock(threads) : sharedBytes, &each);
          error != cudaSuccess)
        return error;
      if (each * threads > resident) {
        resident = each * threads;
        *block = threads;
        *grid = each * p.multiprocessors;
      }
    }
    return cudaSuccess;
  });
}

/// Overriding the cache's default means nothing here.
CUFORT_DRIVER_API CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(
    int *grid, int *block, CUfunction function,
    CUoccupancyB2DSize sharedOfBlock, size_t sharedBytes, int limit,
    unsigned flags) {
  return flags > 1 ? CUDA_ERROR_INVALID_VALUE
                   : cuOccupancyMaxPotentialBlockSize(grid, block, function,
                                                      sharedOfBlock,
                                                      sharedBytes, limit);
}

/// Calls \p call(kernel) with what \p function is.
template <typename Call>
static CUresult onKernel(CUfunction function, Call call) {
  return onFunction(function, [&](Modules &, FunctionHandle handle) {
    return *handle ? call(*handle) : cudaErrorInvalidResourceHandle;
  });
}

CUFORT_DRIVER_API CUresult cuOccupancyAvailableDynamicSMemPerBlock(
    size_t *bytes, CUfunction function, int blocks, int threads) {
  return onKernel(function, [&](const KernelReference &kernel) {
    if (!bytes || blocks < 1 || threads < 1)
      return cudaErrorInvalidValue;
    *bytes = deviceAt(currentDevice())
                 ->properties()
                 .dynamicSharedBytes(blocks, kernel.kernel->staticSharedBytes);
    return cudaSuccess;
  });
}

CUFORT_DRIVER_API CUresult cuFuncGetParamInfo(CUfunction function, size_t index,
                                              size_t *offset, size_t *bytes) {
  return onKernel(function, [&](const KernelReference &kernel) {
    return parameterOf(kernel, index, offset, bytes);
  });
}

/// A function that has a handle is loaded; on a GPU the driver may wait with
/// that until its launch, which nobody can tell from outside.
CUFORT_DRIVER_API CUresult cuFuncLoad(CUfunction function) {
  return onKernel(function,
                  [](const KernelReference &) { return cudaSuccess; });
}

CUFORT_DRIVER_API CUresult cuFuncIsLoaded(CUfunctionLoadingState *state,
                                          CUfunction function) {
  return onKernel(function, [&](const KernelReference &) {
    if (!state)
      return cudaErrorInvalidValue;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return cudaSuccess;
  });
}

/// As drivers have it where CUDA_MODULE_LOADING does not say otherwise.
CUFORT_DRIVER_API CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
  if (CUresult result = initialised())
    return result;
  if (!mode)
    return CUDA_ERROR_INVALID_VALUE;
  *mode = CU_MODULE_LAZY_LOADING;
  return CUDA_SUCCESS;
}

/// Calls \p call(Engine &, kernel, configuration) with what \p c says.
template <typename Call>
static CUresult onClusters(CUfunction function, const CUlaunchConfig *config,
                           const int *result, Call call) {
  return onEngine([&](Engine &e) {
    LaunchConfiguration c;
    FunctionHandle handle = nullptr;
    if (!result)
      return cudaErrorInvalidValue;
    if (Error error = resolve(function, &handle); error != cudaSuccess)
      return error;
    if (Error error = configurationOf(config, &c); error != cudaSuccess)
      return error;
    if (!*handle)
      return cudaErrorInvalidResourceHandle;
    return e.properties().clusterLaunch ? call(e, *handle, c)
                                        : cudaErrorNotSupported;
  });
}

CUFORT_DRIVER_API CUresult cuOccupancyMaxPotentialClusterSize(
    int *blocks, CUfunction function, const CUlaunchConfig *config) {
  return onClusters(function, config, blocks,
                    [&](Engine &e, const auto &kernel, const auto &c) {
                      return e.maxClusterSize(kernel, c, blocks);
                    });
}

CUFORT_DRIVER_API CUresult cuOccupancyMaxActiveClusters(
    int *clusters, CUfunction function, const CUlaunchConfig *config) {
  return onClusters(function, config, clusters,
                    [&](Engine &e, const auto &kernel, const auto &c) {
                      return e.residentClusters(kernel, c, clusters);
                    });
}
