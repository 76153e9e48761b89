//===- Function.h - modules and functions of the driver API -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_DRIVER_FUNCTION_H
#define CUFORT_RUNTIME_DRIVER_FUNCTION_H

#include "runtime/api/RuntimeApi.h"
#include "runtime/core/Libraries.h"
#include "runtime/driver/Call.h"
#include <map>
#include <memory>
#include <mutex>
#include <string>

/// Known to isFunction while it lives.
struct CUfunc_st {
  CUfunc_st(int device, CUmodule module, cufort::FunctionHandle handle,
            const char *name);
  ~CUfunc_st();
  CUfunc_st(const CUfunc_st &) = delete;

  const int device;
  CUmodule module; ///< null: one of the program's own kernels
  cufort::FunctionHandle handle;
  const std::string name;
};

struct CUmod_st {
  int device;
  cufort::ModuleHandle handle;
  CUlibrary library; ///< whose module it is; null: of its own
  std::mutex mutex;
  /// Handles stay the same however often they are asked for.
  std::map<std::string, std::unique_ptr<CUfunc_st>> functions;
};

namespace cufort::driver {

/// Whether \p function is a function and not what a program has made up or what
/// was one once.
bool isFunction(CUfunction function);

/// What \p function is on the current device: a function of it, or a kernel of
/// a library, which programs may pass as one.
Error resolve(CUfunction function, FunctionHandle *handle);

/// Calls \p call(Modules &, function) on the current device.
template <typename Call> CUresult onFunction(CUfunction function, Call call) {
  return onEngine([&](Engine &e) {
    FunctionHandle handle = nullptr;
    const Error error = resolve(function, &handle);
    return error == cudaSuccess ? call(e.modules(), handle) : error;
  });
}

/// The function of \p module on the current device; its handle is renewed.
Error functionOf(CUmod_st &module, const char *name, CUfunction *function);

/// The module that \p library is on the current device.
Error moduleOf(CUlibrary library, CUmodule *module);

/// From now on what was made for a library ends with it.
void watchLibraries();

/// Forgets the modules that \p library was; its functions mean nothing any
/// more.
void forgetModulesOf(CUlibrary library);

/// The function by which programs know \p kernel; null: none of a module.
CUfunction knownFunction(const KernelReference &kernel);

} // namespace cufort::driver

#endif // CUFORT_RUNTIME_DRIVER_FUNCTION_H
