//===- Execution.cpp - CUDA runtime API: kernels -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/LaunchAttributes.h"
#include "runtime/core/Device.h"
#include "runtime/core/Libraries.h"
#include "runtime/core/Registry.h"
#include "runtime/core/engine/Captures.h"
#include "runtime/core/process/ThreadObject.h"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <vector>

using namespace cufort;

namespace {

struct PushedConfiguration {
  dim3 grid, block;
  size_t sharedBytes;
  cudaStream_t stream;
  const void *code; ///< of the chevrons, for the profile
};

/// Chevrons in C push a configuration that the host stub pops.
std::vector<PushedConfiguration> &pushed() {
  return ThreadObject<std::vector<PushedConfiguration>>::get();
}

/// A C++ compiler links programs without complaint whose device code nobody has
/// linked; few programs look at a launch's error.
void sayIfNothingLinked() {
  static std::atomic<bool> said{false};
  if (programs().empty() && !said.exchange(true))
    std::fputs("cufort: a kernel is launched, but this program has no device "
               "code: link it with cufort, or give its linker what "
               "'cufort -dlink' makes of its objects (in CMake: "
               "CUDA_SEPARABLE_COMPILATION), or compile with -rdc=false\n",
               stderr);
}

/// What a launch asks for.
struct Asked {
  const void *stub;
  dim3 grid, block;
  void **parameters;
  size_t sharedBytes;
  cudaStream_t stream;
  bool cooperative;
  dim3 cluster = {0, 0, 0};
  bool overlaps = false;
};

[[gnu::always_inline]] inline cudaError_t launchUnseen(const Asked &asked) {
  return onDeviceUnseen([&](Engine &e) -> Error {
    KernelReference kernel = kernelNamed(asked.stub);
    if (!kernel) {
      sayIfNothingLinked();
      return cudaErrorInvalidDeviceFunction;
    }
    if (asked.sharedBytes > UINT32_MAX)
      return cudaErrorInvalidValue;
    LaunchConfiguration configuration{
        {asked.grid.x, asked.grid.y, asked.grid.z},
        {asked.block.x, asked.block.y, asked.block.z},
        static_cast<uint32_t>(asked.sharedBytes),
        asked.stream,
        asked.cooperative,
        {asked.cluster.x, asked.cluster.y, asked.cluster.z},
        asked.overlaps};
    return launchOn(e, kernel, configuration, asked.parameters);
  });
}

[[gnu::noinline, gnu::cold]] cudaError_t
launchSeen(const Asked asked, const std::source_location &where) {
  const profile::At at(nullptr, {.code = threadState().profile.pushedBy});
  const profile::Call recorded(where);
  return launchUnseen(asked);
}

[[gnu::always_inline]] inline cudaError_t
launch(const Asked &asked,
       const std::source_location &where = std::source_location::current()) {
  // The only thing that a launch does for a profile that is not wanted.
  if (profile::recorderFromStart()) [[unlikely]]
    return launchSeen(asked, where);
  return launchUnseen(asked);
}

} // namespace

CUFORT_API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                                size_t sharedBytes,
                                                cudaStream_t stream) {
  const void *code = __builtin_return_address(0);
  return recordError(catchExhaustion([&] {
    pushed().push_back({grid, block, sharedBytes, stream, code});
    return cudaSuccess;
  }));
}

CUFORT_API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block,
                                                  size_t *sharedBytes,
                                                  void *stream) {
  std::vector<PushedConfiguration> &configurations = pushed();
  if (configurations.empty())
    return recordError(cudaErrorMissingConfiguration);
  const PushedConfiguration &top = configurations.back();
  *grid = top.grid;
  *block = top.block;
  *sharedBytes = top.sharedBytes;
  std::memcpy(stream, &top.stream, sizeof(top.stream));
  threadState().profile.pushedBy = top.code;
  configurations.pop_back();
  return cudaSuccess;
}

CUFORT_API cudaError_t cudaLaunchKernel(const void *stub, dim3 grid, dim3 block,
                                        void **parameters, size_t sharedBytes,
                                        cudaStream_t stream) {
  return launch({stub, grid, block, parameters, sharedBytes, stream,
                 /*cooperative=*/false});
}

CUFORT_API cudaError_t cudaLaunchCooperativeKernel(const void *stub, dim3 grid,
                                                   dim3 block,
                                                   void **parameters,
                                                   size_t sharedBytes,
                                                   cudaStream_t stream) {
  return launch({stub, grid, block, parameters, sharedBytes, stream,
                 /*cooperative=*/true});
}

/// Of those that CUDA 13 has: of what cluster's blocks share.
static constexpr unsigned LastLaunchAttribute = 16;

static bool isSchedulingPolicy(int policy) {
  return policy >= 0 && policy <= 2;
}

cudaError_t cufort::readAttributes(const cudaLaunchConfig_t &c,
                                   LaunchAttributes *result) {
  for (unsigned i = 0; i < c.numAttrs; ++i)
    switch (const cudaLaunchAttribute &a = c.attrs[i]; a.id) {
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow: // a hint
    case cudaLaunchAttributePriority:           // a hint
    case cudaLaunchAttributeMemSyncDomainMap:   // a hint
    case cudaLaunchAttributeMemSyncDomain:      // a hint
      break;
    case cudaLaunchAttributeCooperative:
      result->cooperative = a.val.cooperative;
      break;
    case cudaLaunchAttributeClusterDimension: {
      const auto &d = a.val.clusterDim;
      if (!d.x || !d.y || !d.z)
        return cudaErrorInvalidClusterSize;
      result->cluster = {d.x, d.y, d.z};
      break;
    }
    case cudaLaunchAttributeClusterSchedulingPolicyPreference: // a hint
      if (!isSchedulingPolicy(a.val.clusterSchedulingPolicyPreference))
        return cudaErrorInvalidValue;
      break;
    // It may begin before the kernel before it ends, and need not.
    case cudaLaunchAttributeProgrammaticStreamSerialization:
      result->overlaps = a.val.programmaticStreamSerializationAllowed;
      break;
    case cudaLaunchAttributeSynchronizationPolicy: // of streams alone
      return cudaErrorInvalidValue;
    default: // programmatic events and the like
      return static_cast<unsigned>(a.id) > LastLaunchAttribute
                 ? cudaErrorInvalidValue
                 : cudaErrorNotSupported;
    }
  return cudaSuccess;
}

CUFORT_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c,
                                           const void *stub,
                                           void **parameters) {
  if (!c || (c->numAttrs && !c->attrs))
    return recordError(cudaErrorInvalidValue);
  LaunchAttributes attributes;
  if (const cudaError_t error = readAttributes(*c, &attributes);
      error != cudaSuccess)
    return recordError(error);
  return launch({stub, c->gridDim, c->blockDim, parameters, c->dynamicSmemBytes,
                 c->stream, attributes.cooperative, attributes.cluster,
                 attributes.overlaps});
}

CUFORT_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *result,
                                             const void *stub) {
  if (!result)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    KernelReference kernel = kernelNamed(stub);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    KernelAttributes a{};
    Error error = e.attributes(kernel, &a);
    if (error != cudaSuccess)
      return error;
    *result = {};
    result->sharedSizeBytes = a.sharedBytes;
    result->constSizeBytes = a.constantBytes;
    result->localSizeBytes = a.localBytes;
    result->maxThreadsPerBlock = a.maxThreadsPerBlock;
    result->numRegs = a.registers;
    result->ptxVersion = a.ptxVersion;
    result->binaryVersion = a.binaryVersion;
    result->maxDynamicSharedSizeBytes = a.maxDynamicSharedBytes;
    result->preferredShmemCarveout = -1;
    return cudaSuccess;
  });
}

CUFORT_API cudaError_t cudaFuncSetAttribute(const void *stub, int attribute,
                                            int value) {
  return onDevice([&](Engine &e) {
    KernelReference kernel = kernelNamed(stub);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    if (attribute == 8) // the maximum of dynamic shared memory
      return e.setMaxDynamicShared(kernel, value);
    switch (attribute) {
    case 9: // how to divide cache and shared memory in percent, a hint
      return value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue;
    case 11: // what clusters every launch must have: none are the default
    case 12:
    case 13:
      return value < 0    ? cudaErrorInvalidValue
             : value == 0 ? cudaSuccess
                          : cudaErrorNotSupported;
    case 14:
      return e.allowLargeClusters(kernel, value != 0);
    case 15:
      return isSchedulingPolicy(value) ? cudaSuccess : cudaErrorInvalidValue;
    default:
      return cudaErrorInvalidValue;
    }
  });
}

CUFORT_API cudaError_t cudaFuncSetCacheConfig(const void *stub, int config) {
  if (config < 0 || config > 3)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    KernelReference kernel = kernelNamed(stub);
    return kernel ? e.setCacheConfiguration(kernel, config)
                  : cudaErrorInvalidDeviceFunction;
  });
}

CUFORT_API cudaError_t cudaFuncSetSharedMemConfig(const void *stub,
                                                  int config) {
  if (config < 0 || config > 2)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &) {
    return kernelNamed(stub) ? cudaSuccess : cudaErrorInvalidDeviceFunction;
  });
}

CUFORT_API cudaError_t cudaFuncGetName(const char **name, const void *stub) {
  if (!name)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &) {
    KernelReference kernel = kernelNamed(stub);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    *name = kernel.kernel->name;
    return cudaSuccess;
  });
}

// Devices without double precision are gone.
CUFORT_API cudaError_t cudaSetDoubleForDevice(double *value) {
  return recordError(value ? cudaSuccess : cudaErrorInvalidValue);
}

CUFORT_API cudaError_t cudaSetDoubleForHost(double *value) {
  return recordError(value ? cudaSuccess : cudaErrorInvalidValue);
}
