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

  Error load(const void *image, size_t bytes, const TranslationOptions &options,
             ModuleHandle *module) override;
  Error unload(ModuleHandle module) override;
  Error function(ModuleHandle module, const char *name,
                 FunctionHandle *function) override;
  Error variable(ModuleHandle module, const char *name, void **address,
                 size_t *bytes) override;
  Error launch(FunctionHandle function,
               const LaunchConfiguration &configuration,
               const LaunchParameters &parameters) override;
  Error attribute(FunctionHandle function, int number, int *value) override;
  Error setAttribute(FunctionHandle function, int number, int value) override;
  Error residentBlocks(FunctionHandle function, unsigned threads,
                       size_t sharedBytes, int *blocks) override;

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
