//===- Module.cpp - CUDA driver API: modules ------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/ModuleImage.h"
#include "runtime/core/process/Process.h"
#include "runtime/driver/Function.h"
#include <algorithm>

using namespace cufort;
using namespace cufort::driver;

namespace {

struct Loaded {
  std::mutex mutex;
  std::map<CUmodule, std::unique_ptr<CUmod_st>> modules;
};

Loaded &loaded() { return processWide<Loaded>(ProcessObject::DriverModules); }

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

Error load(CUmodule *result, const void *image, size_t bytes,
           const TranslationOptions &options) {
  return onDevice([&](Engine &e) {
    auto module = std::make_unique<CUmod_st>();
    module->device = currentDevice();
    module->library = nullptr;
    if (Error error = e.modules().load(image, bytes, options,
                                       /*common=*/nullptr, &module->handle);
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
      std::string content;
      const Error error = readCode(path, &content);
      return error == cudaSuccess
                 ? load(module, content.data(), content.size(), {})
                 : error;
    });
  });
}

CUFORT_DRIVER_API CUresult cuModuleUnload(CUmodule module) {
  return onModule(module, [&](Modules &modules, CUmod_st &m) {
    if (m.library)
      return cudaErrorInvalidResourceHandle; // cuLibraryUnload does it
    // Nobody looks into it while it ends.
    std::unique_lock lock(loaded().mutex);
    auto entry = loaded().modules.extract(module);
    lock.unlock();
    if (!entry)
      return cudaErrorInvalidResourceHandle;
    const Error error =
        catchExhaustion([&] { return modules.unload(m.handle); });
    lock.lock();
    if (error != cudaSuccess)
      loaded().modules.insert(std::move(entry));
    return error;
  });
}

CUFORT_DRIVER_API CUresult cuModuleGetFunction(CUfunction *function,
                                               CUmodule module,
                                               const char *name) {
  return onModule(module, [&](Modules &, CUmod_st &m) {
    return function && name ? functionOf(m, name, function)
                            : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult cuModuleGetFunctionCount(unsigned *count,
                                                    CUmodule module) {
  return onModule(module, [&](Modules &modules, CUmod_st &m) {
    if (!count)
      return cudaErrorInvalidValue;
    std::vector<std::string> names;
    const Error error = modules.functions(m.handle, &names);
    if (error == cudaSuccess)
      *count = static_cast<unsigned>(names.size());
    return error;
  });
}

CUFORT_DRIVER_API CUresult cuModuleEnumerateFunctions(CUfunction *functions,
                                                      unsigned count,
                                                      CUmodule module) {
  return onModule(module, [&](Modules &modules, CUmod_st &m) {
    if (!functions)
      return cudaErrorInvalidValue;
    std::vector<std::string> names;
    Error error = modules.functions(m.handle, &names);
    const size_t most = std::min<size_t>(count, names.size());
    for (size_t i = 0; i < most && error == cudaSuccess; ++i)
      error = functionOf(m, names[i].c_str(), &functions[i]);
    return error;
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
// For the other files
//===----------------------------------------------------------------------===//

Error driver::functionOf(CUmod_st &m, const char *name, CUfunction *function) {
  FunctionHandle handle = nullptr;
  if (Error error =
          deviceAt(m.device)->modules().function(m.handle, name, &handle);
      error != cudaSuccess)
    return error;
  std::lock_guard lock(m.mutex);
  auto &place = m.functions[name];
  if (!place)
    place = std::make_unique<CUfunc_st>(m.device, &m, handle, name);
  place->handle = handle;
  *function = place.get();
  return cudaSuccess;
}

Error driver::moduleOf(CUlibrary library, CUmodule *module) {
  ModuleHandle handle = nullptr;
  if (Error error = libraryModule(library, &handle); error != cudaSuccess)
    return error;
  std::lock_guard lock(loaded().mutex);
  for (const auto &[key, each] : loaded().modules)
    if (each->library == library && each->device == currentDevice()) {
      each->handle = handle;
      *module = key;
      return cudaSuccess;
    }
  watchLibraries();
  auto made = std::make_unique<CUmod_st>();
  made->device = currentDevice();
  made->handle = handle;
  made->library = library;
  CUmodule key = made.get();
  loaded().modules.emplace(key, std::move(made));
  *module = key;
  return cudaSuccess;
}

void driver::forgetModulesOf(CUlibrary library) {
  std::lock_guard lock(loaded().mutex);
  std::erase_if(loaded().modules, [&](const auto &entry) {
    return entry.second->library == library;
  });
}

CUfunction driver::knownFunction(const KernelReference &kernel) {
  std::lock_guard lock(loaded().mutex);
  for (const auto &[key, module] : loaded().modules) {
    std::lock_guard lockOfModule(module->mutex);
    for (const auto &[name, function] : module->functions)
      if (function->handle->kernel == kernel.kernel)
        return function.get();
  }
  return nullptr;
}
