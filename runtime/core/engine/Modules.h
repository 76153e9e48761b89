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

#ifndef CUFORT_RUNTIME_CORE_ENGINE_MODULES_H
#define CUFORT_RUNTIME_CORE_ENGINE_MODULES_H

#include "runtime/core/engine/Engine.h"
#include <memory>
#include <vector>

namespace cufort {

using ModuleHandle = void *;

/// What modules of the same code on several devices have in common, their
/// managed variables above all; the engine's. It goes with the last of them.
class CommonCode {
public:
  virtual ~CommonCode() = default;
};

/// Pieces of device code that are being linked: CUlinkState.
using LinkHandle = void *;

/// A kernel of a module; one of the program's own will do as well. What it
/// points to becomes empty where a reset of the device unloads the module.
using FunctionHandle = const KernelReference *;

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

#define CUFORT_MODULES(result, name, parameters)                               \
  virtual result name parameters = 0;
#include "runtime/core/engine/Modules.def"
};

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_ENGINE_MODULES_H
