//===- CudaModules.h - modules on NVIDIA devices ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_CUDAMODULES_H
#define CUFORT_RUNTIME_CUDA_CUDAMODULES_H

#include "runtime/core/ModuleImage.h"
#include "runtime/core/engine/Modules.h"
#include "runtime/cuda/Driver.h"
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

namespace cufort::cuda {

class CudaEngine;
class KernelOutput;

/// A kernel of a module, described as the image of a program describes its own.
struct ModuleKernel : image::Kernel {
  std::string text; ///< the name
  std::vector<image::Parameter> places;
  CUfunction function = nullptr;
  KernelReference reference; ///< to this
};

/// The driver's own modules. Of what cufort -fatbin writes the
/// driver gets the code that fits the device.
class CudaModules final : public Modules {
public:
  explicit CudaModules(CudaEngine &engine) : engine(engine) {}

#define CUFORT_MODULES(result, name, parameters)                               \
  result name parameters override;
#include "runtime/core/engine/Modules.def"

  /// The kernel that the driver knows as \p function; empty if none of them.
  KernelReference kernelOf(CUfunction function);

  /// Forgets all of them: the device has been reset.
  void reset();

private:
  struct Module {
    /// The channel for what its kernels print; null: they do not.
    KernelOutput *output;
    /// What it is of, where it shares with modules of other devices.
    std::shared_ptr<CommonCode> library;
    /// Its kernels, as far as they have been asked for.
    std::map<std::string, std::unique_ptr<ModuleKernel>> kernels;
  };

  bool known(ModuleHandle module);
  bool knownLink(LinkHandle link);
  std::unique_ptr<ModuleKernel> describe(const char *name, CUfunction function);
  Error functionOf(FunctionHandle handle, CUfunction *function);

  CudaEngine &engine;
  std::atomic<unsigned> resetCount{0};
  std::mutex mutex;
  std::unordered_map<ModuleHandle, Module> modules;
  /// The kernels of modules that a reset has unloaded: programs may still have
  /// their handles.
  std::vector<std::unique_ptr<ModuleKernel>> gone;
  std::unordered_set<LinkHandle> links;
};

} // namespace cufort::cuda

#endif // CUFORT_RUNTIME_CUDA_CUDAMODULES_H
