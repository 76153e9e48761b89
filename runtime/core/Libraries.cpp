//===- Libraries.cpp - code that a program loads for all devices ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Libraries.h"
#include "runtime/core/Device.h"
#include "runtime/core/ModuleImage.h"
#include "runtime/core/process/Process.h"
#include <atomic>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>

using namespace cufort;

struct CUkern_st {
  LibraryHandle library;
  std::string name;
};

struct CUlib_st {
  struct OnDevice {
    ModuleHandle module = nullptr; ///< null: not loaded
    unsigned resets = 0;           ///< of the device when it was loaded
    bool shares = false;           ///< its managed variables with the others
  };
  std::string code;
  std::vector<int> optionNames;
  std::vector<void *> optionValues;
  std::vector<OnDevice> devices;
  std::weak_ptr<CommonCode> common; ///< as long as a device has the code
  std::map<std::string, std::unique_ptr<CUkern_st>> kernels;
};

namespace cufort {

namespace {

struct Libraries {
  std::mutex mutex;
  std::map<LibraryHandle, std::unique_ptr<CUlib_st>> loaded;
  std::map<const void *, LibraryKernelHandle> kernels;
  std::atomic<bool> used{false}; ///< to be read without the lock
  std::atomic<void (*)(LibraryHandle, const void *const *, size_t)> forget{
      nullptr};
};

Libraries &libraries() {
  return processWide<Libraries>(ProcessObject::Libraries);
}

/// Loads the code of \p library on the current device.
Error loadHere(CUlib_st &library, const TranslationOptions &options,
               CUlib_st::OnDevice *here) {
  Modules &modules = deviceAt(currentDevice())->modules();
  *here = {nullptr, modules.resets()};
  std::shared_ptr<CommonCode> common = library.common.lock();
  // One device has nobody to share with.
  const Error error =
      modules.load(library.code.data(), library.code.size(), options,
                   deviceCount() > 1 ? &common : nullptr, &here->module);
  if (error == cudaSuccess) {
    here->shares = common != nullptr;
    library.common = common;
  }
  return error;
}

/// The module of \p library on the current device, loaded if it is not. Needs
/// the lock.
Error moduleHere(CUlib_st &library, ModuleHandle *module) {
  const auto number = static_cast<size_t>(currentDevice());
  if (library.devices.size() <= number)
    library.devices.resize(number + 1);
  CUlib_st::OnDevice &here = library.devices[number];
  Modules &modules = deviceAt(currentDevice())->modules();
  if (!here.module || here.resets != modules.resets()) {
    const TranslationOptions options{
        static_cast<unsigned>(library.optionNames.size()),
        library.optionNames.data(), library.optionValues.data()};
    if (const Error error = loadHere(library, options, &here);
        error != cudaSuccess)
      return error;
  }
  *module = here.module;
  return cudaSuccess;
}

/// Calls \p call(CUlib_st &, module on this device).
template <typename Call> Error onLibrary(LibraryHandle handle, Call call) {
  Libraries &all = libraries();
  std::lock_guard lock(all.mutex);
  auto found = all.loaded.find(handle);
  if (found == all.loaded.end())
    return cudaErrorInvalidResourceHandle;
  ModuleHandle module = nullptr;
  const Error error = moduleHere(*found->second, &module);
  return error == cudaSuccess ? call(*found->second, module) : error;
}

/// Options whose values are places for results: only the first device's
/// translation has them, for the program may have left them behind later.
bool isResult(int option) { return option >= 2 && option <= 6; }

} // namespace

Error loadLibrary(const void *code, size_t bytes,
                  const TranslationOptions &options, LibraryHandle *result) {
  bytes = bytes ? bytes : codeBytes(code);
  if (!bytes)
    return cudaErrorInvalidKernelImage;
  auto library = std::make_unique<CUlib_st>();
  library->code.assign(static_cast<const char *>(code), bytes);
  for (unsigned i = 0; i < options.count; ++i)
    if (!isResult(options.options[i])) {
      library->optionNames.push_back(options.options[i]);
      library->optionValues.push_back(options.values[i]);
    }
  const auto number = static_cast<size_t>(currentDevice());
  library->devices.resize(number + 1);
  CUlib_st::OnDevice &here = library->devices[number];
  if (const Error error = loadHere(*library, options, &here);
      error != cudaSuccess)
    return error;
  LibraryHandle handle = library.get();
  Libraries &all = libraries();
  try {
    std::lock_guard lock(all.mutex);
    all.loaded.emplace(handle, std::move(library));
  } catch (const std::bad_alloc &) {
    deviceAt(currentDevice())->modules().unload(here.module);
    throw;
  }
  all.used.store(true, std::memory_order_release);
  *result = handle;
  return cudaSuccess;
}

Error loadLibraryFile(const char *path, const TranslationOptions &options,
                      LibraryHandle *library) {
  std::string content;
  if (const Error error = readCode(path, &content); error != cudaSuccess)
    return error;
  return loadLibrary(content.data(), content.size(), options, library);
}

Error unloadLibrary(LibraryHandle handle) {
  Libraries &all = libraries();
  // Nobody finds it or its kernels while it is unloaded, which may wait.
  decltype(all.loaded)::node_type library;
  std::vector<decltype(all.kernels)::node_type> kernels;
  std::vector<const void *> handles;
  {
    std::lock_guard lock(all.mutex);
    auto found = all.loaded.find(handle);
    if (found == all.loaded.end())
      return cudaErrorInvalidResourceHandle;
    kernels.reserve(found->second->kernels.size());
    handles.reserve(found->second->kernels.size());
    library = all.loaded.extract(found);
    for (const auto &[name, kernel] : library.mapped()->kernels) {
      kernels.push_back(all.kernels.extract(kernel.get()));
      handles.push_back(kernel.get());
    }
  }
  if (auto *forget = all.forget.load(std::memory_order_acquire))
    forget(handle, handles.data(), handles.size());
  Error result = cudaSuccess;
  std::vector<CUlib_st::OnDevice> &devices = library.mapped()->devices;
  for (size_t i = 0; i < devices.size() && result == cudaSuccess; ++i) {
    Modules &modules = deviceAt(static_cast<int>(i))->modules();
    if (devices[i].module && devices[i].resets == modules.resets())
      result =
          catchExhaustion([&] { return modules.unload(devices[i].module); });
    if (result == cudaSuccess)
      devices[i].module = nullptr;
  }
  if (result != cudaSuccess) { // It can be tried once more.
    std::lock_guard lock(all.mutex);
    all.loaded.insert(std::move(library));
    for (auto &kernel : kernels)
      all.kernels.insert(std::move(kernel));
  }
  return result;
}

void whenUnloaded(void (*forget)(LibraryHandle, const void *const *, size_t)) {
  libraries().forget.store(forget, std::memory_order_release);
}

Error libraryKernel(LibraryHandle handle, const char *name,
                    LibraryKernelHandle *result) {
  return onLibrary(handle, [&](CUlib_st &library, ModuleHandle module) {
    auto found = library.kernels.find(name);
    if (found == library.kernels.end()) {
      FunctionHandle function;
      if (const Error error = deviceAt(currentDevice())
                                  ->modules()
                                  .function(module, name, &function);
          error != cudaSuccess)
        return error;
      auto made = std::make_unique<CUkern_st>(CUkern_st{handle, name});
      LibraryKernelHandle kernel = made.get();
      libraries().kernels.emplace(kernel, kernel);
      try {
        found = library.kernels.emplace(name, std::move(made)).first;
      } catch (const std::bad_alloc &) {
        libraries().kernels.erase(kernel);
        throw;
      }
    }
    *result = found->second.get();
    return cudaSuccess;
  });
}

Error libraryKernelNames(LibraryHandle handle,
                         std::vector<std::string> *names) {
  return onLibrary(handle, [&](CUlib_st &, ModuleHandle module) {
    return deviceAt(currentDevice())->modules().functions(module, names);
  });
}

Error libraryVariable(LibraryHandle handle, const char *name, bool managed,
                      void **address, size_t *bytes) {
  return onLibrary(handle, [&](CUlib_st &library, ModuleHandle module) {
    Engine &engine = *deviceAt(currentDevice());
    const Error error = engine.modules().variable(module, name, address, bytes);
    if (error != cudaSuccess || !managed)
      return error;
    PointerDescription place{};
    if (const Error unknown = engine.describe(*address, &place);
        unknown != cudaSuccess)
      return unknown;
    if (place.type != PointerDescription::Managed)
      return cudaErrorSymbolNotFound;
    // Otherwise each device has one of its own.
    const auto number = static_cast<size_t>(currentDevice());
    return deviceCount() == 1 || library.devices[number].shares
               ? cudaSuccess
               : cudaErrorNotSupported;
  });
}

Error libraryModule(LibraryHandle handle, ModuleHandle *result) {
  return onLibrary(handle, [&](CUlib_st &, ModuleHandle module) {
    *result = module;
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Handles of kernels
//===----------------------------------------------------------------------===//

Error libraryOfKernel(const void *handle, LibraryHandle *library,
                      const char **name) {
  Libraries &all = libraries();
  std::lock_guard lock(all.mutex);
  auto found = all.kernels.find(handle);
  if (found == all.kernels.end())
    return cudaErrorInvalidResourceHandle;
  *library = found->second->library;
  *name = found->second->name.c_str();
  return cudaSuccess;
}

Error functionOfKernel(const void *handle, FunctionHandle *function) {
  Libraries &all = libraries();
  if (!all.used.load(std::memory_order_acquire))
    return cudaErrorInvalidResourceHandle;
  std::lock_guard lock(all.mutex);
  auto found = all.kernels.find(handle);
  if (found == all.kernels.end())
    return cudaErrorInvalidResourceHandle;
  ModuleHandle module = nullptr;
  if (const Error error =
          moduleHere(*all.loaded.at(found->second->library), &module);
      error != cudaSuccess)
    return error;
  return deviceAt(currentDevice())
      ->modules()
      .function(module, found->second->name.c_str(), function);
}

KernelReference kernelNamed(const void *name) {
  if (const KernelReference kernel = findKernel(name))
    return kernel;
  FunctionHandle function = nullptr;
  return functionOfKernel(name, &function) == cudaSuccess ? *function
                                                          : KernelReference{};
}

const void *nameOfKernel(const KernelReference &kernel) {
  if (!kernel.program->module)
    return stubOf(kernel);
  Libraries &all = libraries();
  std::lock_guard lock(all.mutex);
  for (const auto &[handle, each] : all.kernels) {
    FunctionHandle function = nullptr;
    ModuleHandle module = nullptr;
    if (each->name == kernel.kernel->name &&
        moduleHere(*all.loaded.at(each->library), &module) == cudaSuccess &&
        deviceAt(currentDevice())
                ->modules()
                .function(module, each->name.c_str(), &function) ==
            cudaSuccess &&
        function->kernel == kernel.kernel)
      return handle;
  }
  return nullptr;
}

} // namespace cufort
