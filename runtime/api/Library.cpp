//===- Library.cpp - CUDA runtime API: code loaded while a program runs ---===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/core/Device.h"
#include "runtime/core/Libraries.h"
#include <algorithm>

using namespace cufort;

/// What the two functions that load have in common. The options of libraries
/// (code that stays where it is, tables of functions) spare memory only.
static bool makeSense(const void *library, const void *code, const int *options,
                      void *const *values, unsigned count,
                      const int *libraryOptions, unsigned libraryCount) {
  if (!library || !code || (count && (!options || !values)) ||
      (libraryCount && !libraryOptions))
    return false;
  for (unsigned i = 0; i < libraryCount; ++i)
    if (libraryOptions[i] != 0 && libraryOptions[i] != 1)
      return false;
  return true;
}

CUFORT_API cudaError_t cudaLibraryLoadData(cudaLibrary_t *library,
                                           const void *code, int *options,
                                           void **values, unsigned count,
                                           int *libraryOptions, void **,
                                           unsigned libraryCount) {
  if (!makeSense(library, code, options, values, count, libraryOptions,
                 libraryCount))
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &) {
    return loadLibrary(code, 0, {count, options, values}, library);
  });
}

CUFORT_API cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library,
                                               const char *path, int *options,
                                               void **values, unsigned count,
                                               int *libraryOptions, void **,
                                               unsigned libraryCount) {
  if (!makeSense(library, path, options, values, count, libraryOptions,
                 libraryCount))
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &) {
    return loadLibraryFile(path, {count, options, values}, library);
  });
}

CUFORT_API cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return onDevice([&](Engine &) { return unloadLibrary(library); });
}

CUFORT_API cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel,
                                            cudaLibrary_t library,
                                            const char *name) {
  if (!kernel || !name)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &) {
    LibraryKernelHandle found = nullptr;
    const Error error = libraryKernel(library, name, &found);
    if (error == cudaSuccess)
      *kernel = found;
    return error;
  });
}

CUFORT_API cudaError_t cudaLibraryGetKernelCount(unsigned *count,
                                                 cudaLibrary_t library) {
  if (!count)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &) {
    std::vector<std::string> names;
    const Error error = libraryKernelNames(library, &names);
    if (error == cudaSuccess)
      *count = static_cast<unsigned>(names.size());
    return error;
  });
}

CUFORT_API cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels,
                                                   unsigned count,
                                                   cudaLibrary_t library) {
  if (!kernels)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &) {
    std::vector<std::string> names;
    if (const Error error = libraryKernelNames(library, &names);
        error != cudaSuccess)
      return error;
    for (size_t i = 0; i < std::min<size_t>(count, names.size()); ++i) {
      LibraryKernelHandle found = nullptr;
      if (const Error error = libraryKernel(library, names[i].c_str(), &found);
          error != cudaSuccess)
        return error;
      kernels[i] = found;
    }
    return cudaSuccess;
  });
}

static cudaError_t
variable(void **address, size_t *bytes, cudaLibrary_t library, const char *name,
         bool managed,
         const std::source_location &where = std::source_location::current()) {
  const profile::Call recorded(where);
  if (!name || (!address && !bytes))
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &) {
    void *place = nullptr;
    size_t size = 0;
    const Error error = libraryVariable(library, name, managed, &place, &size);
    if (error == cudaSuccess && address)
      *address = place;
    if (error == cudaSuccess && bytes)
      *bytes = size;
    return error;
  });
}

CUFORT_API cudaError_t cudaLibraryGetGlobal(void **address, size_t *bytes,
                                            cudaLibrary_t library,
                                            const char *name) {
  return variable(address, bytes, library, name, /*managed=*/false);
}

CUFORT_API cudaError_t cudaLibraryGetManaged(void **address, size_t *bytes,
                                             cudaLibrary_t library,
                                             const char *name) {
  return variable(address, bytes, library, name, /*managed=*/true);
}

// No device has functions that host code and device code reach by one pointer
// (cudaDevAttrUnifiedFunctionPointers).
CUFORT_API cudaError_t cudaLibraryGetUnifiedFunction(void **function,
                                                     cudaLibrary_t library,
                                                     const char *name) {
  if (!function || !name)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &) {
    ModuleHandle module = nullptr;
    const Error error = libraryModule(library, &module);
    return error == cudaSuccess ? cudaErrorSymbolNotFound : error;
  });
}
