//===- Module.cpp - CUDA driver API: modules, functions, launches ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Modules.h"
#include "runtime/driver/Call.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>

using namespace cufort;
using namespace cufort::driver;

struct CUfunc_st {
  CUmodule module;
  FunctionHandle handle;
  std::string name;
};

struct CUmod_st {
  int device;
  ModuleHandle handle;
  std::mutex mutex;
  /// Handles stay the same however often they are asked for.
  std::map<std::string, std::unique_ptr<CUfunc_st>> functions;
};

namespace {

struct Loaded {
  std::mutex mutex;
  std::map<CUmodule, std::unique_ptr<CUmod_st>> modules;
};

Loaded &loaded() {
  static auto *instance = new Loaded;
  return *instance;
}

/// Calls \p call(Modules &, module) on the module's device.
template <typename Call> CUresult onModule(CUmodule module, Call call) {
  return inContext([&] {
    return catchExhaustion([&] {
      {
        std::lock_guard lock(loaded().mutex);
        if (!loaded().modules.count(module))
          return cudaErrorInvalidResourceHandle;
      }
      return call(deviceAt(module->device)->modules(), *module);
    });
  });
}

/// Calls \p call(Modules &) on the function's device.
template <typename Call> CUresult onFunction(CUfunction function, Call call) {
  return onEngine([&](Engine &e) {
    if (!function)
      return cudaErrorInvalidResourceHandle;
    if (function->module->device != currentDevice())
      return cudaErrorInvalidResourceHandle;
    return call(e.modules());
  });
}

Error load(CUmodule *result, const void *image, size_t bytes,
           const TranslationOptions &options) {
  return onDevice([&](Engine &e) {
    auto module = std::make_unique<CUmod_st>();
    module->device = currentDevice();
    if (Error error = e.modules().load(image, bytes, options, &module->handle);
        error != cudaSuccess)
      return error;
    CUmodule made = module.get();
    try {
      std::lock_guard lock(loaded().mutex);
      loaded().modules.emplace(made, std::move(module));
    } catch (const std::bad_alloc &) {
      e.modules().unload(made->handle);
      throw;
    }
    *result = made;
    return cudaSuccess;
  });
}

} // namespace

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

CUFORT_DRIVER_API CUresult cuModuleLoadDataEx(CUmodule *module,
                                              const void *image, unsigned count,
                                              CUjit_option *options,
                                              void **values) {
  return inContext([&] {
    if (!module || !image || (count && (!options || !values)))
      return cudaErrorInvalidValue;
    return load(module, image, 0,
                {count, reinterpret_cast<int *>(options), values});
  });
}

CUFORT_DRIVER_API CUresult cuModuleLoadData(CUmodule *module,
                                            const void *image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}

CUFORT_DRIVER_API CUresult cuModuleLoadFatBinary(CUmodule *module,
                                                 const void *image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}

CUFORT_DRIVER_API CUresult cuModuleLoad(CUmodule *module, const char *path) {
  return inContext([&] {
    return catchExhaustion([&] {
      if (!module || !path)
        return cudaErrorInvalidValue;
      std::ifstream file(path, std::ios::binary);
      if (!file)
        return cudaErrorFileNotFound;
      const std::string content{std::istreambuf_iterator<char>(file),
                                std::istreambuf_iterator<char>()};
      if (file.bad() || content.empty())
        return cudaErrorInvalidKernelImage;
      return load(module, content.data(), content.size(), {});
    });
  });
}

CUFORT_DRIVER_API CUresult cuModuleUnload(CUmodule module) {
  return onModule(module, [&](Modules &modules, CUmod_st &m) {
    const Error error = modules.unload(m.handle);
    if (error == cudaSuccess) {
      std::lock_guard lock(loaded().mutex);
      loaded().modules.erase(module);
    }
    return error;
  });
}

CUFORT_DRIVER_API CUresult cuModuleGetFunction(CUfunction *function,
                                               CUmodule module,
                                               const char *name) {
  return onModule(module, [&](Modules &modules, CUmod_st &m) {
    if (!function || !name)
      return cudaErrorInvalidValue;
    std::lock_guard lock(m.mutex);
    auto found = m.functions.find(name);
    if (found == m.functions.end()) {
      FunctionHandle handle = nullptr;
      if (Error error = modules.function(m.handle, name, &handle);
          error != cudaSuccess)
        return error;
      auto made = std::make_unique<CUfunc_st>(CUfunc_st{module, handle, name});
      found = m.functions.emplace(name, std::move(made)).first;
    }
    *function = found->second.get();
    return cudaSuccess;
  });
}

CUFORT_DRIVER_API CUresult cuModuleGetGlobal(CUdeviceptr *address,
                                             size_t *bytes, CUmodule module,
                                             const char *name) {
  return onModule(module, [&](Modules &modules, CUmod_st &m) {
    if (!name)
      return cudaErrorInvalidValue;
    void *place = nullptr;
    size_t size = 0;
    const Error error = modules.variable(m.handle, name, &place, &size);
    if (error != cudaSuccess)
      return error;
    if (address)
      *address = reinterpret_cast<CUdeviceptr>(place);
    if (bytes)
      *bytes = size;
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

CUFORT_DRIVER_API CUresult cuFuncGetModule(CUmodule *module,
                                           CUfunction function) {
  return onFunction(function, [&](Modules &) {
    if (!module)
      return cudaErrorInvalidValue;
    *module = function->module;
    return cudaSuccess;
  });
}

CUFORT_DRIVER_API CUresult cuFuncGetName(const char **name,
                                         CUfunction function) {
  return onFunction(function, [&](Modules &) {
    if (!name)
      return cudaErrorInvalidValue;
    *name = function->name.c_str();
    return cudaSuccess;
  });
}

CUFORT_DRIVER_API CUresult cuFuncGetAttribute(int *value,
                                              CUfunction_attribute attribute,
                                              CUfunction function) {
  return onFunction(function, [&](Modules &m) {
    return value ? m.attribute(function->handle, attribute, value)
                 : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult cuFuncSetAttribute(CUfunction function,
                                              CUfunction_attribute attribute,
                                              int value) {
  return onFunction(function, [&](Modules &m) {
    return m.setAttribute(function->handle, attribute, value);
  });
}

// A hint.
CUFORT_DRIVER_API CUresult cuFuncSetCacheConfig(CUfunction function,
                                                CUfunc_cache config) {
  return onFunction(function, [&](Modules &) {
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

CUFORT_DRIVER_API CUresult cuLaunchKernel(CUfunction function, unsigned gridX,
                                          unsigned gridY, unsigned gridZ,
                                          unsigned blockX, unsigned blockY,
                                          unsigned blockZ, unsigned sharedBytes,
                                          CUstream stream, void **parameters,
                                          void **extra) {
  return onFunction(function, [&](Modules &m) {
    LaunchParameters p{parameters};
    if (parameters && extra)
      return cudaErrorInvalidValue;
    if (extra && !readExtra(extra, &p))
      return cudaErrorInvalidValue;
    return m.launch(
        function->handle,
        {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes, stream},
        p);
  });
}

CUFORT_DRIVER_API CUresult cuLaunchCooperativeKernel(
    CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
    unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
    CUstream stream, void **parameters) {
  return onFunction(function, [&](Modules &m) {
    return m.launch(function->handle,
                    {{gridX, gridY, gridZ},
                     {blockX, blockY, blockZ},
                     sharedBytes,
                     stream,
                     /*cooperative=*/true},
                    {parameters});
  });
}

//===----------------------------------------------------------------------===//
// Occupancy
//===----------------------------------------------------------------------===//

CUFORT_DRIVER_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, CUfunction function, int threads, size_t sharedBytes,
    unsigned flags) {
  return onFunction(function, [&](Modules &m) {
    if (!blocks || threads < 1 || flags > 1)
      return cudaErrorInvalidValue;
    return m.residentBlocks(function->handle, static_cast<unsigned>(threads),
                            sharedBytes, blocks);
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
  return onFunction(function, [&](Modules &m) {
    if (!grid || !block || limit < 0)
      return cudaErrorInvalidValue;
    int most = 0;
    if (Error error = m.attribute(
            function->handle, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &most);
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
              function->handle, static_cast<unsigned>(threads),
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
