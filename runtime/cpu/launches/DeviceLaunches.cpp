//===- DeviceLaunches.cpp - kernels that launch kernels on the CPU --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the threads of a grid launch becomes operations that come right behind
// the grid's own in its stream (Scheduler::complete): nothing after it starts
// before they have ended, as CUDA promises.
//
//===----------------------------------------------------------------------===//

#include "image/DeviceLaunches.h"
#include "runtime/check/Check.h"
#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/launches/DeviceFunctions.h"
#include "runtime/cpu/launches/KernelOperation.h"
#include "runtime/cpu/launches/KernelOutput.h"
#include <cstdlib>
#include <cstring>
#include <malloc.h>

namespace cufort::cpu {

/// The last error of what device code has launched on this thread of the host.
static constinit thread_local Error LastLaunchError = cudaSuccess;

static Error note(Error error) {
  if (error != cudaSuccess)
    LastLaunchError = error;
  return error;
}

void LaunchOperation::addLaunched(OperationPointer operation, bool tail) {
  std::lock_guard guard(launchedMutex);
  (tail ? launchedLast : launched).push_back(std::move(operation));
}

Operation *LaunchOperation::takeLaunched() {
  Operation *first = nullptr, **next = &first;
  for (std::vector<OperationPointer> *list : {&launched, &launchedLast}) {
    for (OperationPointer &each : *list) {
      *next = each.release();
      next = &(*next)->following;
    }
    list->clear();
  }
  return first;
}

Error CpuEngine::launchFromDevice(LaunchOperation &parent, const char *name,
                                  const LaunchConfiguration &configuration,
                                  const char *parameters, bool tail) {
  const Program &program = *parent.program;
  for (uint32_t i = 0; i < program.image->kernelCount; ++i) {
    const image::Kernel &kernel = program.image->kernels[i];
    if (std::strcmp(kernel.name, name) != 0)
      continue;
    std::vector<void *> pointers;
    pointers.reserve(kernel.parameterCount);
    for (uint32_t k = 0; k < kernel.parameterCount; ++k)
      pointers.push_back(
          const_cast<char *>(parameters + kernel.parameters[k].offset));
    Operation *operation;
    if (Error error = makeLaunch({&kernel, &program, i}, configuration,
                                 pointers.data(), &operation);
        error != cudaSuccess)
      return error;
    parent.addLaunched(OperationPointer(operation), tail);
    return cudaSuccess;
  }
  return cudaErrorInvalidDeviceFunction;
}

} // namespace cufort::cpu

using namespace cufort;
using namespace cufort::cpu;

static bool isTail(const void *stream) {
  return reinterpret_cast<uintptr_t>(stream) == CUFORT_TAIL_STREAM;
}

void *device::launch_parameters(uint64_t /*alignment*/, uint64_t bytes) {
  constexpr size_t Alignment = 64;
  void *memory = std::aligned_alloc(Alignment, (bytes + Alignment - 1) /
                                                   Alignment * Alignment);
  if (!memory && bytes)
    note(cudaErrorMemoryAllocation);
  check::belongs(memory, bytes, /*written=*/false);
  return memory;
}

int device::launch(const char *kernel, void *parameters, uint32_t gridX,
                   uint32_t gridY, uint32_t gridZ, uint32_t blockX,
                   uint32_t blockY, uint32_t blockZ, uint32_t sharedBytes,
                   const void *stream) {
  Error error = cudaErrorLaunchFailure;
  orEndKernel([&] {
    const std::unique_ptr<void, void (*)(void *)> own(
        parameters, [](void *memory) {
          check::released(memory, malloc_usable_size(memory));
          std::free(memory);
        });
    LaunchConfiguration configuration;
    configuration.grid = {gridX, gridY, gridZ};
    configuration.block = {blockX, blockY, blockZ};
    configuration.dynamicSharedBytes = sharedBytes;
    if (LaunchOperation *parent = Running.operation)
      error = parent->engine->launchFromDevice(*parent, kernel, configuration,
                                               static_cast<char *>(parameters),
                                               isTail(stream));
  });
  return note(error);
}

int device::launch_copy(void *to, const void *from, int value, uint64_t bytes,
                        const void *stream) {
  LaunchOperation *parent = Running.operation;
  if (!parent)
    return note(cudaErrorLaunchFailure);
  orEndKernel([&] {
    auto move = [=] {
      if (from) {
        check::copied(to, from, bytes);
        std::memmove(to, from, bytes);
      } else {
        check::written(to, bytes);
        std::memset(to, value, bytes);
      }
    };
    parent->addLaunched(
        OperationPointer(new CallOperation<decltype(move)>(move)),
        isTail(stream));
  });
  return cudaSuccess;
}

int device::launch_error(int forget) {
  const Error error = LastLaunchError;
  if (forget)
    LastLaunchError = cudaSuccess;
  return error;
}
