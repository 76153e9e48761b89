//===- DeviceLaunches.cpp - kernels that launch kernels on a GPU ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a grid has launched waits in a queue on the device. The host reads it
// when the grid has ended and launches it in the grid's stream, each grid with
// what it launches itself, before the call that has launched the first returns:
// so nothing can come between them. The queue is one; so is the time of such
// launches.
//
//===----------------------------------------------------------------------===//

#include "image/DeviceLaunches.h"
#include "runtime/core/process/FaultInjection.h"
#include "runtime/cuda/CudaEngine.h"
#include "runtime/cuda/GraphHandles.h"
#include <algorithm>
#include <cstring>
#include <string>

namespace cufort::cuda {

namespace {
/// The launches of one grid.
struct Launched {
  std::vector<CufortLaunch> launches;
  std::vector<char> parameters;
};
} // namespace

/// Reads the queue at \p queue and empties it.
static CUresult take(const Driver &driver, CUdeviceptr queue,
                     Launched *launched) {
  struct {
    unsigned count, usedBytes;
  } head;
  if (CUresult code = driver.copyToHost(&head, queue, sizeof(head)))
    return code;
  const unsigned count = std::min<unsigned>(head.count, CUFORT_MOST_LAUNCHES);
  if (!count)
    return 0;
  launched->launches.resize(count);
  launched->parameters.resize(
      std::min<unsigned>(head.usedBytes, CUFORT_LAUNCH_BYTES));
  if (CUresult code =
          driver.copyToHost(launched->launches.data(),
                            queue + offsetof(CufortLaunchQueue, launches),
                            count * sizeof(CufortLaunch)))
    return code;
  if (!launched->parameters.empty())
    if (CUresult code =
            driver.copyToHost(launched->parameters.data(),
                              queue + offsetof(CufortLaunchQueue, parameters),
                              launched->parameters.size()))
      return code;
  head = {};
  return driver.copyToDevice(queue, &head, sizeof(head));
}

/// The name at \p place in device memory, which follows its length.
static CUresult readName(const Driver &driver, const char *place,
                         std::string *name) {
  const auto address = reinterpret_cast<CUdeviceptr>(place);
  uint64_t length = 0;
  if (CUresult code =
          driver.copyToHost(&length, address - sizeof(length), sizeof(length)))
    return code;
  name->resize(length);
  return driver.copyToHost(name->data(), address, length);
}

Error CudaEngine::runLaunched(const KernelReference &parent,
                              const LaunchConfiguration &c) {
  const CUstream stream = streamOf(c.stream);
  LoadedProgram *program;
  if (Error error = load(*parent.program, &program); error != cudaSuccess)
    return error;
  void *queue = nullptr;
  const image::Image &image = *parent.program->image;
  for (uint32_t i = 0; i < image.variableCount && !queue; ++i)
    if (!std::strcmp(image.variables[i].name, CUFORT_LAUNCH_QUEUE_NAME))
      if (Error error = program->variable(i, &queue); error != cudaSuccess)
        return error;
  if (!queue)
    return cudaErrorInvalidSymbol;
  if (CUresult code = driver.streamSynchronize(stream))
    return errorOf(code);
  Launched launched;
  if (CUresult code =
          take(driver, reinterpret_cast<CUdeviceptr>(queue), &launched))
    return errorOf(code);
  for (unsigned isTail : {0u, 1u})
    for (const CufortLaunch &each : launched.launches) {
      if (each.isTail != isTail)
        continue;
      Error error;
      if (each.kind == CUFORT_LAUNCH)
        error = launchQueued(*parent.program, each, launched.parameters.data(),
                             c.stream);
      else if (each.kind == CUFORT_LAUNCH_COPY)
        error =
            errorOf(driver.copyAsync(each.to, each.from, each.bytes, stream));
      else
        error = errorOf(driver.set8Async(each.to,
                                         static_cast<unsigned char>(each.value),
                                         each.bytes, stream));
      if (error != cudaSuccess)
        return error;
    }
  return cudaSuccess;
}

Error CudaEngine::launchQueued(const Program &program,
                               const CufortLaunch &launch, char *parameters,
                               StreamHandle stream) {
  std::string name;
  if (CUresult code = readName(driver, launch.kernel, &name))
    return errorOf(code);
  const image::Image &image = *program.image;
  for (uint32_t i = 0; i < image.kernelCount; ++i) {
    const image::Kernel &kernel = image.kernels[i];
    if (name != kernel.name)
      continue;
    std::vector<void *> pointers;
    pointers.reserve(kernel.parameterCount);
    for (uint32_t k = 0; k < kernel.parameterCount; ++k)
      pointers.push_back(parameters + launch.parameters +
                         kernel.parameters[k].offset);
    const unsigned *g = launch.grid, *b = launch.block;
    LaunchConfiguration configuration;
    configuration.grid = {g[0], g[1], g[2]};
    configuration.block = {b[0], b[1], b[2]};
    configuration.dynamicSharedBytes = launch.sharedBytes;
    configuration.stream = stream;
    const KernelReference child{&kernel, &program, i};
    if (Error error = launchGrid(child, configuration, pointers.data());
        error != cudaSuccess || !kernel.launchesKernels)
      return error;
    return runLaunched(child, configuration);
  }
  return cudaErrorInvalidDeviceFunction;
}

Error CudaEngine::launch(const KernelReference &kernel,
                         const LaunchConfiguration &configuration,
                         void *const *parameters) {
  if (!kernel.kernel->launchesKernels)
    return launchGrid(kernel, configuration, parameters);
  std::lock_guard lock(launchesMutex);
  if (Error error = launchGrid(kernel, configuration, parameters);
      error != cudaSuccess)
    return error;
  return catchExhaustion([&] { return runLaunched(kernel, configuration); });
}

} // namespace cufort::cuda
