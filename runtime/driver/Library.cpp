//===- Library.cpp - CUDA driver API: libraries and their kernels ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/core/process/Process.h"
#include "runtime/driver/Function.h"
#include <algorithm>

using namespace cufort;
using namespace cufort::driver;

namespace {

/// The functions that kernels are, of libraries and of the program itself.
struct Functions {
  std::mutex mutex;
  std::map<std::pair<const void *, int>, std::unique_ptr<CUfunc_st>> known;
  /// What those of the program itself refer to.
  std::map<const void *, KernelReference> own;
};

Functions &functions() {
  return processWide<Functions>(ProcessObject::DriverLibraryFunctions);
}

/// Needs the lock.
CUfunction functionFor(const void *key, FunctionHandle handle, const char *name,
                       CUmodule module) {
  auto &place = functions().known[{key, currentDevice()}];
  if (!place)
    place = std::make_unique<CUfunc_st>(currentDevice(), module, handle, name);
  place->handle = handle;
  place->module = module;
  return place.get();
}

/// What was made for a library goes with it, by whichever API it is unloaded.
void forget(LibraryHandle library, const void *const *kernels, size_t count) {
  {
    std::lock_guard lock(functions().mutex);
    std::erase_if(functions().known, [&](const auto &entry) {
      return std::find(kernels, kernels + count, entry.first.first) !=
             kernels + count;
    });
  }
  forgetModulesOf(library);
}

/// Calls \p call() with \p device as the current one.
template <typename Call> CUresult onDeviceOf(CUdevice device, Call call) {
  if (CUresult result = haveContext())
    return result;
  const int before = currentDevice();
  if (setCurrentDevice(device) != cudaSuccess)
    return CUDA_ERROR_INVALID_DEVICE;
  const KeptError kept;
  const Error error = onDevice(call);
  setCurrentDevice(before);
  return resultOf(error);
}

} // namespace

void driver::watchLibraries() { whenUnloaded(forget); }

CUFORT_DRIVER_API CUresult cuKernelGetFunction(CUfunction *function,
                                               CUkernel kernel) {
  return onEngine([&](Engine &) {
    if (!function)
      return cudaErrorInvalidValue;
    FunctionHandle handle = nullptr;
    if (Error error = functionOfKernel(kernel, &handle); error != cudaSuccess)
      return error;
    LibraryHandle library = nullptr;
    const char *name = nullptr;
    if (Error error = libraryOfKernel(kernel, &library, &name);
        error != cudaSuccess)
      return error;
    CUmodule module = nullptr;
    if (Error error = moduleOf(library, &module); error != cudaSuccess)
      return error;
    std::lock_guard lock(functions().mutex);
    *function = functionFor(kernel, handle, name, module);
    return cudaSuccess;
  });
}

/// Of the runtime API, but its result is the driver API's.
CUFORT_API cudaError_t cudaGetFuncBySymbol(CUfunction *function,
                                           const void *stub) {
  if (!function)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &) {
    const KernelReference kernel = findKernel(stub);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    std::lock_guard lock(functions().mutex);
    KernelReference &own = functions().own[stub];
    own = kernel;
    *function = functionFor(stub, &own, kernel.kernel->name, nullptr);
    return cudaSuccess;
  });
}

CUFORT_DRIVER_API CUresult cuKernelGetLibrary(CUlibrary *library,
                                              CUkernel kernel) {
  return inContext([&] {
    const char *name = nullptr;
    return library ? libraryOfKernel(kernel, library, &name)
                   : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult cuKernelGetName(const char **name, CUkernel kernel) {
  return inContext([&] {
    LibraryHandle library = nullptr;
    return name ? libraryOfKernel(kernel, &library, name)
                : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult cuLibraryGetModule(CUmodule *module,
                                              CUlibrary library) {
  return onEngine([&](Engine &) {
    return module ? moduleOf(library, module) : cudaErrorInvalidValue;
  });
}

/// Calls \p call(Modules &, kernel) on a device that is named.
template <typename Call>
static CUresult onKernel(CUkernel kernel, CUdevice device, Call call) {
  return onDeviceOf(device, [&](Engine &e) {
    FunctionHandle handle = nullptr;
    const Error error = functionOfKernel(kernel, &handle);
    return error == cudaSuccess ? call(e.modules(), handle) : error;
  });
}

CUFORT_DRIVER_API CUresult cuKernelGetAttribute(int *value,
                                                CUfunction_attribute attribute,
                                                CUkernel kernel,
                                                CUdevice device) {
  return onKernel(kernel, device, [&](Modules &m, FunctionHandle handle) {
    return value ? m.attribute(handle, attribute, value)
                 : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult cuKernelSetAttribute(CUfunction_attribute attribute,
                                                int value, CUkernel kernel,
                                                CUdevice device) {
  return onKernel(kernel, device, [&](Modules &m, FunctionHandle handle) {
    return m.setAttribute(handle, attribute, value);
  });
}

// A hint.
CUFORT_DRIVER_API CUresult cuKernelSetCacheConfig(CUkernel kernel,
                                                  CUfunc_cache config,
                                                  CUdevice device) {
  return onKernel(kernel, device, [&](Modules &, FunctionHandle) {
    return config <= CU_FUNC_CACHE_PREFER_EQUAL ? cudaSuccess
                                                : cudaErrorInvalidValue;
  });
}
