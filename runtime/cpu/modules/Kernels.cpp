//===- Kernels.cpp - kernels and variables of the CPU -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Check.h"
#include "runtime/core/LaunchFailure.h"
#include "runtime/core/LaunchLimits.h"
#include "runtime/core/Names.h"
#include "runtime/core/process/Stop.h"
#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/launches/KernelOperation.h"
#include "runtime/cpu/launches/KernelOutput.h"
#include "runtime/cpu/modules/Instances.h"
#include <algorithm>
#include <cstdint>

namespace cufort::cpu {

BlockCode CpuEngine::codeFor(const image::Kernel &kernel,
                             const image::Dim3 &block) const {
  auto best = [&](const image::CpuBlockEntry(&entries)[image::CpuLevelCount]) {
    for (int i = level; i >= 0; --i)
      if (entries[i])
        return entries[i];
    return image::CpuBlockEntry(nullptr);
  };
  for (uint64_t i = 0; i < kernel.variantCount; ++i) {
    const image::CpuVariant &variant = kernel.variants[i];
    if (variant.block.x == block.x && variant.block.y == block.y &&
        variant.block.z == block.z)
      if (image::CpuBlockEntry entry = best(variant.cpu))
        return {entry, variant.arenaBytesPerThread};
  }
  return {best(kernel.cpu), kernel.arenaBytesPerThread, kernel.blockRows != 0};
}

uint32_t CpuEngine::mostDynamicShared(const image::Kernel &kernel) {
  if (environment.cpuStrict) {
    std::lock_guard lock(mutex);
    if (auto found = allowedShared.find(&kernel); found != allowedShared.end())
      return found->second;
    return static_cast<uint32_t>(description.sharedBytesPerBlock) -
           kernel.staticSharedBytes;
  }
  return static_cast<uint32_t>(description.sharedBytesPerBlockOptIn) -
         kernel.staticSharedBytes;
}

/// CUFORT_CPU_STRICT=1: what a GPU asks for that a CPU does not need.
Error CpuEngine::checkAsOnGpu(const KernelReference &reference,
                              const LaunchConfiguration &configuration) {
  if (configuration.dynamicSharedBytes > mostDynamicShared(*reference.kernel))
    return cudaErrorInvalidValue;
  if (!configuration.cooperative)
    return cudaSuccess;
  const image::Dim3 &grid = configuration.grid, &block = configuration.block;
  int each, multiprocessors;
  if (Error error = residentBlocks(reference, block.x * block.y * block.z,
                                   configuration.dynamicSharedBytes, &each,
                                   &multiprocessors);
      error != cudaSuccess)
    return error;
  return uint64_t(grid.x) * grid.y * grid.z > uint64_t(each) * multiprocessors
             ? cudaErrorCooperativeLaunchTooLarge
             : cudaSuccess;
}

Error CpuEngine::makeLaunch(const KernelReference &reference,
                            const LaunchConfiguration &configuration,
                            void *const *parameters, Operation **operation) {
  const image::Kernel &kernel =
      *inInstance(reference.kernel, *reference.program, ordinal);
  if (Error error = checkLaunch(description, kernel, configuration);
      error != cudaSuccess)
    return error;
  if (environment.cpuStrict)
    if (Error error = checkAsOnGpu(reference, configuration);
        error != cudaSuccess)
      return error;
  image::Dim3 cluster;
  if (Error error = clusterFor(reference, kernel, configuration, &cluster);
      error != cudaSuccess)
    return error;
  image::CpuLaunch launch{configuration.grid, configuration.block,
                          configuration.dynamicSharedBytes,
                          cluster.x | cluster.y << 8 | cluster.z << 16};
  const bool blocksJoin =
      configuration.cooperative || cluster.x * cluster.y * cluster.z > 1;
  const BlockCode code = codeFor(kernel, launch.block);
  LaunchOperation *made;
  if (kernel.proof && code.entry && kernel.cpuThread && !blocksJoin &&
      !environment.cpuFibers && check::checking()) {
    made = new CheckedOperation(kernel, code, launch, parameters);
    // Some kernels have no other code.
  } else if (environment.cpuFibers || kernel.proof ||
             (!code.entry && kernel.cpuThread)) {
    if (!kernel.cpuThread)
      stopProgram(nullptr, 0, "CUFORT_CPU_FIBERS=1", cudaErrorNotSupported,
                  "the program was compiled without the code that runs one "
                  "fiber per thread");
    if (blocksJoin)
      made = new CooperativeOperation(kernel, BlockCode{}, launch, parameters);
    else
      made = new WaitingOperation(
          kernel, environment.cpuFibers ? BlockCode{} : checkedCode(kernel),
          launch, parameters);
  } else if (!code.entry) {
    return cudaErrorNoKernelImageForDevice;
  } else if (blocksJoin) {
    made = new CooperativeOperation(kernel, code, launch, parameters);
  } else if (kernel.blocksMayWait == image::WaitsInLoops) {
    made = new WaitingOperation(kernel, code, launch, parameters);
  } else {
    made = new KernelOperation(kernel, code, launch, parameters);
  }
  made->engine = this;
  made->program = reference.program;
  *operation = made;
  return cudaSuccess;
}

Error CpuEngine::launch(const KernelReference &reference,
                        const LaunchConfiguration &configuration,
                        void *const *parameters) {
  Stream *stream = find(configuration.stream);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (graphSet.capturing())
    if (Error error; graphSet.capturedLaunch(*stream, reference, configuration,
                                             parameters, &error))
      return error;
  deliverAtLaunch();
  Operation *operation;
  if (Error error =
          makeLaunch(reference, configuration, parameters, &operation);
      error != cudaSuccess)
    return error;
  const uint64_t sequence = scheduler.submit(*stream, operation);
  if (environment.launchBlocking)
    scheduler.waitOperation(*stream, sequence);
  return cudaSuccess;
}

Error CpuEngine::residentBlocks(const KernelReference &reference,
                                unsigned threads, size_t,
                                int *perMultiprocessor, int *multiprocessors) {
  if (!threads || threads > unsigned(description.maxThreadsPerBlock))
    return cudaErrorInvalidConfiguration;
  // A core runs one block at a time; eight for each let the cores finish
  // together although blocks differ. Stacks for all their threads are too many.
  const bool onFibers = !codeFor(*reference.kernel, {threads, 1, 1}).entry;
  *perMultiprocessor = onFibers ? 1 : 8;
  *multiprocessors = description.multiprocessors;
  return cudaSuccess;
}

Error CpuEngine::attributes(const KernelReference &reference,
                            KernelAttributes *result) {
  const image::Kernel &kernel = *reference.kernel;
  *result = {};
  result->sharedBytes = kernel.staticSharedBytes;
  result->constantBytes = kernel.constantBytes;
  result->localBytes = kernel.localBytes;
  result->maxThreadsPerBlock = kernel.maxThreadsPerBlock
                                   ? static_cast<int>(kernel.maxThreadsPerBlock)
                                   : description.maxThreadsPerBlock;
  result->ptxVersion = result->binaryVersion =
      description.major * 10 + description.minor;
  // What a program was compiled for it may have a choice of kernels by.
  if (reference.program && reference.program->image->compiledFor)
    result->ptxVersion =
        static_cast<int>(reference.program->image->compiledFor);
  result->maxDynamicSharedBytes = static_cast<int>(mostDynamicShared(kernel));
  return cudaSuccess;
}

Error CpuEngine::setMaxDynamicShared(const KernelReference &reference,
                                     int bytes) {
  if (bytes < 0 || uint64_t(reference.kernel->staticSharedBytes) + bytes >
                       description.sharedBytesPerBlockOptIn)
    return cudaErrorInvalidValue;
  if (environment.cpuStrict) {
    std::lock_guard lock(mutex);
    allowedShared[reference.kernel] = static_cast<uint32_t>(bytes);
  }
  return cudaSuccess;
}

Error CpuEngine::variableAddress(const VariableReference &variable,
                                 void **address) {
  *address = variable.variable->cpuAddress;
  if (ordinal && !sharedByInstances(*variable.program->image, *address))
    *address =
        inInstance(variable.variable, *variable.program, ordinal)->cpuAddress;
  return *address ? cudaSuccess : cudaErrorInvalidSymbol;
}

} // namespace cufort::cpu
