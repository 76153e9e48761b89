//===- CudaEngine.h - an NVIDIA device --------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_CUDAENGINE_H
#define CUFORT_RUNTIME_CUDA_CUDAENGINE_H

#include "runtime/core/engine/Engine.h"
#include "runtime/cuda/CudaGraphs.h"
#include "runtime/cuda/CudaModules.h"
#include "runtime/cuda/Driver.h"
#include "runtime/cuda/KernelOutput.h"
#include "runtime/cuda/LatestKernels.h"
#include "runtime/cuda/LoadedProgram.h"
#include "runtime/cuda/Timing.h"
#include "runtime/cuda/VirtualMemory.h"
#include "runtime/cuda/strided/StridedKernel.h"
#include <memory>
#include <mutex>

struct CufortLaunch; // image/DeviceLaunches.h

namespace cufort::cuda {

class CudaEngine final : public Engine {
public:
  CudaEngine(const Driver &driver, CUdevice device, int ordinal);

#define CUFORT_ENGINE(result, name, parameters) result name parameters override;
#include "runtime/core/engine/Engine.def"

private:
  friend class CudaGraphs;
  friend class CudaModules;

  /// Makes the device's primary context, created at the first call, the
  /// calling thread's.
  Error bind();
  /// The program's module, loaded at the first call.
  Error load(const Program &program, LoadedProgram **result);
  /// \p program is null for kernels of modules.
  Error functionOf(const KernelReference &kernel, LoadedProgram **program,
                   CUfunction *function);
  /// The kernel that the driver knows as \p function; empty if none of them.
  KernelReference kernelOf(CUfunction function);
  Error launchGrid(const KernelReference &kernel,
                   const LaunchConfiguration &configuration,
                   void *const *parameters);
  /// Waits for a launch of \p parent and runs what it has launched. Under
  /// launchesMutex.
  Error runLaunched(const KernelReference &parent,
                    const LaunchConfiguration &configuration);
  Error launchQueued(const Program &program, const CufortLaunch &launch,
                     char *parameters, StreamHandle stream);
  /// Whether a launch is more than the driver's oldest functions for it can
  /// say. Takes overlaps off what cannot.
  bool needsAttributes(CUfunction function, LaunchConfiguration *configuration);
  /// What the profile says of a launch.
  profile::Work describe(const KernelReference &kernel,
                         const LaunchConfiguration &configuration,
                         CUfunction function);
  Error launchWithAttributes(CUfunction function,
                             const LaunchConfiguration &configuration,
                             void **parameters, void **extra = nullptr);
  /// \p program is null for kernels of modules, as functionOf has it.
  Error allowDynamicShared(LoadedProgram *program, unsigned kernel,
                           CUfunction function, uint32_t bytes);
  /// The channel for what the program's kernels print, if they do.
  Error openOutput(const image::Image &image, LoadedProgram &program);
  /// The same for a module that the program has loaded itself; null in \p
  /// output where its kernels do not print.
  Error openModuleOutput(CUmodule module, KernelOutput **output);
  Error closeModuleOutput(KernelOutput *output);
  /// Prints what kernels have written; \p over: no kernel runs or will run.
  void deliver(bool over);
  /// The status of a call that has waited for kernels, once their output is
  /// printed.
  Error waited(CUresult result);
  std::vector<KernelOutput *> openOutputs();
  Error setOutputBytes(size_t bytes);
  /// Whether the handle is of any of our devices.
  static bool knownStream(StreamHandle stream);
  static bool knownEvent(EventHandle event);
  Error enterEvent(EventHandle event, bool recorded);
  /// Of a reset: this device's streams and events are gone.
  void forgetHandles();
  void forgetArrays();
  CUcontext contextOf(Engine &engine, Error *error);
  /// A strided copy whose rows the driver would take one after the other: by
  /// a kernel, and packed on the side of the host.
  Error copyByKernel(const StridedView &to, const StridedView &from,
                     CopyKind kind);

  const Driver &driver;
  const CUdevice device;
  const int ordinal;
  DeviceProperties description;
  std::mutex mutex;
  std::mutex launchesMutex; ///< of kernels that launch kernels
  std::atomic<CUcontext> context{nullptr};
  std::vector<std::unique_ptr<LoadedProgram>> programs;
  /// programs[0] once it can be used, for launches without the lock: nearly
  /// all executables hold one image.
  std::atomic<LoadedProgram *> firstProgram{nullptr};
  std::vector<std::unique_ptr<KernelOutput>> outputs;
  std::atomic<bool> hasOutput{false};
  LatestKernels latest;
  CudaGraphs graphSet{*this};
  CudaModules moduleSet{*this};
  CudaVirtualMemory addresses{driver};
  StridedKernel stridedKernel;
  Timing timing;
};

/// Puts \p memory into a side of a copy as the kind has it, for the driver to
/// find out whether it lies there; without such a kind it finds out where.
template <typename Side>
void putMemory(Side &side, const void *memory, CopyKind kind, bool isTarget) {
  const CopyKind toHost =
      isTarget ? CopyKind::DeviceToHost : CopyKind::HostToDevice;
  const bool isKnown = kind == CopyKind::HostToDevice ||
                       kind == CopyKind::DeviceToHost ||
                       kind == CopyKind::DeviceToDevice;
  side.memoryType = !isKnown         ? MemoryUnified
                    : kind == toHost ? MemoryHost
                                     : MemoryDevice;
  side.host = memory;
  side.device = reinterpret_cast<CUdeviceptr>(memory);
}

/// What the driver says of \p device.
DeviceProperties describeGpu(const Driver &driver, CUdevice device);

} // namespace cufort::cuda

#endif // CUFORT_RUNTIME_CUDA_CUDAENGINE_H
