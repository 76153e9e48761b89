//===- CudaModules.h - modules on NVIDIA devices ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_CUDAMODULES_H
#define CUFORT_RUNTIME_CUDA_CUDAMODULES_H

#include "runtime/core/ModuleImage.h"
#include "runtime/core/Modules.h"
#include "runtime/cuda/Driver.h"
#include <mutex>
#include <unordered_map>

namespace cufort::cuda {

class CudaEngine;
class KernelOutput;

/// The driver's own modules and functions. Of what cufort -fatbin writes the
/// driver gets the code that fits the device.
class CudaModules final : public Modules {
public:
  explicit CudaModules(CudaEngine &engine) : engine(engine) {}

#define CUFORT_MODULES(result, name, parameters)                               \
  result name parameters override;
#include "runtime/core/Modules.def"

  /// Forgets all of them: the device has been reset.
  void reset();

private:
  bool known(ModuleHandle module);

  CudaEngine &engine;
  std::mutex mutex;
  /// With the channel for what a module's kernels print; null: they do not.
  std::unordered_map<ModuleHandle, KernelOutput *> modules;
};

} // namespace cufort::cuda

#endif // CUFORT_RUNTIME_CUDA_CUDAMODULES_H
