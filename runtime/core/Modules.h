//===- Modules.h - code that is loaded while a program runs -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver API's modules: the third part of the interface Engine.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_MODULES_H
#define CUFORT_RUNTIME_CORE_MODULES_H

#include "runtime/core/Engine.h"

namespace cufort {

using ModuleHandle = void *;
using FunctionHandle = void *;

/// What the program asks of a driver that translates a module; numbers and
/// meaning are CUjit_option's.
struct TranslationOptions {
  unsigned count = 0;
  int *options = nullptr;
  void **values = nullptr;
};

/// The parameters of a launch: one pointer for each, or all of them packed.
struct LaunchParameters {
  void *const *pointers = nullptr;
  const void *packed = nullptr;
  size_t packedBytes = 0;
};

/// Modules of one engine. Names are those of the device code.
class Modules {
public:
  virtual ~Modules() = default;

  /// \p image: what cufort -fatbin writes, and what else the engine can load.
  /// \p bytes: 0 where only its content tells how long it is.
  virtual Error load(const void *image, size_t bytes,
                     const TranslationOptions &options,
                     ModuleHandle *module) = 0;
  virtual Error unload(ModuleHandle module) = 0;
  /// cudaErrorSymbolNotFound: it has no kernel of that name.
  virtual Error function(ModuleHandle module, const char *name,
                         FunctionHandle *function) = 0;
  virtual Error variable(ModuleHandle module, const char *name, void **address,
                         size_t *bytes) = 0;
  virtual Error launch(FunctionHandle function,
                       const LaunchConfiguration &configuration,
                       const LaunchParameters &parameters) = 0;
  /// The numbers of CUfunction_attribute.
  virtual Error attribute(FunctionHandle function, int number, int *value) = 0;
  virtual Error setAttribute(FunctionHandle function, int number,
                             int value) = 0;
  /// Blocks of \p threads threads that run on one multiprocessor at once.
  virtual Error residentBlocks(FunctionHandle function, unsigned threads,
                               size_t sharedBytes, int *blocks) = 0;
};

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_MODULES_H
