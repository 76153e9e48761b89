//===- Device.cpp - CUDA runtime API: devices --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Device.h"
#include "runtime/api/RuntimeApi.h"
#include "runtime/core/LaunchFailure.h"
#include "runtime/core/process/Process.h"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>

using namespace cufort;

/// The error of a launch that nobody has asked for yet, which a synchronising
/// call reports as its own.
static cudaError_t withLaunchError(cudaError_t error) {
  if (error == cudaSuccess && pendingLaunchFailure() != cudaSuccess)
    error = pendingLaunchFailure();
  forgetLaunchFailure();
  return error;
}

CUFORT_API cudaError_t cudaDeviceSynchronize() {
  return withLaunchError(onDevice([](Engine &e) { return e.synchronize(); }));
}

CUFORT_API cudaError_t cudaThreadSynchronize() {
  const profile::Call recorded;
  return cudaDeviceSynchronize();
}

CUFORT_API cudaError_t cudaDeviceReset() {
  forgetLaunchFailure();
  // The way back from a failure, too.
  return recordError(catchExhaustion([] {
    DeviceUse use = useDevice();
    return use.engine ? use.engine->reset() : use.error;
  }));
}

CUFORT_API cudaError_t cudaGetDeviceCount(int *count) {
  if (!count)
    return recordError(cudaErrorInvalidValue);
  *count = deviceCount();
  return cudaSuccess;
}

CUFORT_API cudaError_t cudaSetDevice(int device) {
  if (const Error error = setCurrentDevice(device); error != cudaSuccess)
    return recordError(error);
  return recordError(deviceAt(device)->select());
}

CUFORT_API cudaError_t cudaGetDevice(int *device) {
  if (!device)
    return recordError(cudaErrorInvalidValue);
  *device = currentDevice();
  return cudaSuccess;
}

CUFORT_API cudaError_t cudaThreadExit() {
  const profile::Call recorded;
  return cudaDeviceReset();
}

// How a host thread waits (0 to 2, 4), mapping (8), local memory (16) and
// synchronous copies (128): hints, the runtime chooses itself. What debuggers
// want of a context (32, 64) is theirs.
static constexpr unsigned KeptDeviceFlags = 7 | 8 | 16 | 128;

static bool areDeviceFlags(unsigned flags) {
  const unsigned schedule = flags & 7;
  return !(flags & ~(KeptDeviceFlags | 32 | 64)) && schedule != 3 &&
         schedule <= 4;
}

CUFORT_API cudaError_t cudaSetDeviceFlags(unsigned flags) {
  if (!areDeviceFlags(flags))
    return recordError(cudaErrorInvalidValue);
  process().deviceFlags.store((flags & KeptDeviceFlags) | 8);
  return cudaSuccess;
}

CUFORT_API cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  if (!flags)
    return recordError(cudaErrorInvalidValue);
  *flags = process().deviceFlags.load();
  return cudaSuccess;
}

CUFORT_API cudaError_t cudaInitDevice(int device, unsigned deviceFlags,
                                      unsigned flags) {
  const profile::Call recorded;
  constexpr unsigned deviceFlagsAreValid = 1;
  if (!deviceAt(device))
    return recordError(cudaErrorInvalidDevice);
  return flags == deviceFlagsAreValid ? cudaSetDeviceFlags(deviceFlags)
                                      : cudaSuccess;
}

/// The thread uses the first of them from now on.
CUFORT_API cudaError_t cudaSetValidDevices(int *devices, int count) {
  if (count < 0 || (count && !devices) || count > deviceCount())
    return recordError(cudaErrorInvalidValue);
  for (int i = 0; i < count; ++i)
    if (!deviceAt(devices[i]))
      return recordError(cudaErrorInvalidDevice);
  return recordError(count ? setCurrentDevice(devices[0]) : cudaSuccess);
}

/// The device that has at least what \p wanted asks for (zero: no wish), and of
/// those the one with the most multiprocessors.
CUFORT_API cudaError_t cudaChooseDevice(int *device,
                                        const cudaDeviceProp *wanted) {
  if (!device || !wanted)
    return recordError(cudaErrorInvalidValue);
  *device = 0;
  int most = -1;
  for (int i = 0; i < deviceCount(); ++i) {
    const DeviceProperties &p = deviceAt(i)->properties();
    if (p.memoryBytes < wanted->totalGlobalMem ||
        p.sharedBytesPerBlock < wanted->sharedMemPerBlock ||
        p.major * 10 + p.minor < wanted->major * 10 + wanted->minor ||
        p.multiprocessors <= most)
      continue;
    most = p.multiprocessors;
    *device = i;
  }
  return cudaSuccess;
}

CUFORT_API cudaError_t cudaDeviceGetPCIBusId(char *text, int length,
                                             int device) {
  Engine *engine = deviceAt(device);
  constexpr int Characters = 13; // "0000:00:00.0"
  if (!text || length < Characters || !engine)
    return recordError(engine ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
  const DeviceProperties &p = engine->properties();
  std::snprintf(text, static_cast<size_t>(length), "%04x:%02x:%02x.0",
                static_cast<unsigned>(p.pciDomain),
                static_cast<unsigned>(p.pciBus),
                static_cast<unsigned>(p.pciDevice));
  return cudaSuccess;
}

CUFORT_API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text) {
  if (!device || !text)
    return recordError(cudaErrorInvalidValue);
  unsigned domain = 0, bus = 0, slot = 0;
  if (std::sscanf(text, "%x:%x:%x", &domain, &bus, &slot) != 3) {
    domain = 0;
    if (std::sscanf(text, "%x:%x", &bus, &slot) != 2)
      return recordError(cudaErrorInvalidValue);
  }
  for (int i = 0; i < deviceCount(); ++i) {
    const DeviceProperties &p = deviceAt(i)->properties();
    if (static_cast<unsigned>(p.pciDomain) == domain &&
        static_cast<unsigned>(p.pciBus) == bus &&
        static_cast<unsigned>(p.pciDevice) == slot) {
      *device = i;
      return cudaSuccess;
    }
  }
  return recordError(cudaErrorInvalidDevice);
}

//===----------------------------------------------------------------------===//
// Limits and configurations
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaDeviceGetLimit(size_t *value, int limit) {
  if (!value)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) { return e.limit(limit, value); });
}

CUFORT_API cudaError_t cudaDeviceSetLimit(int limit, size_t value) {
  return onDevice([&](Engine &e) { return e.setLimit(limit, value); });
}

CUFORT_API cudaError_t cudaDeviceGetCacheConfig(int *configuration) {
  if (!configuration)
    return recordError(cudaErrorInvalidValue);
  return onDevice(
      [&](Engine &e) { return e.cacheConfiguration(configuration); });
}

CUFORT_API cudaError_t cudaDeviceSetCacheConfig(int configuration) {
  if (configuration < 0 || configuration > 3)
    return recordError(cudaErrorInvalidValue);
  return onDevice(
      [&](Engine &e) { return e.setCacheConfiguration(configuration); });
}

// Banks of shared memory are four bytes wide on every device since 2014.
CUFORT_API cudaError_t cudaDeviceGetSharedMemConfig(int *configuration) {
  if (!configuration)
    return recordError(cudaErrorInvalidValue);
  *configuration = 1;
  return cudaSuccess;
}

CUFORT_API cudaError_t cudaDeviceSetSharedMemConfig(int configuration) {
  return recordError(configuration < 0 || configuration > 2
                         ? cudaErrorInvalidValue
                         : cudaSuccess);
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaDeviceGetAttribute(int *value, int attribute,
                                              int device) {
  if (!value)
    return recordError(cudaErrorInvalidValue);
  Engine *engine = deviceAt(device);
  return recordError(catchExhaustion([&] {
    return engine ? engine->deviceAttribute(attribute, value)
                  : cudaErrorInvalidDevice;
  }));
}

/// What an engine says of the device by itself.
static void takeProperties(cudaDeviceProp &r, const DeviceProperties &p) {
  p.name.copy(r.name, sizeof(r.name) - 1);
  std::memcpy(r.uuid.bytes, p.uuid, sizeof(p.uuid));
  r.totalGlobalMem = p.memoryBytes;
  r.sharedMemPerBlock = p.sharedBytesPerBlock;
  r.regsPerBlock = p.registersPerBlock;
  r.warpSize = p.warpSize;
  r.memPitch = p.maxPitch;
  r.maxThreadsPerBlock = p.maxThreadsPerBlock;
  std::copy(p.maxBlock, p.maxBlock + 3, r.maxThreadsDim);
  std::copy(p.maxGrid, p.maxGrid + 3, r.maxGridSize);
  r.totalConstMem = p.constantBytes;
  r.major = p.major;
  r.minor = p.minor;
  r.textureAlignment = p.textureAlignment;
  r.multiProcessorCount = p.multiprocessors;
  r.integrated = p.integrated;
  r.canMapHostMemory = p.canMapHostMemory;
  r.clockRate = p.clockKilohertz;
  r.memoryClockRate = p.memoryClockKilohertz;
  r.deviceOverlap = p.asyncEngines > 0;
  r.concurrentKernels = p.concurrentKernels;
  r.ECCEnabled = p.ecc;
  r.pciBusID = p.pciBus;
  r.pciDeviceID = p.pciDevice;
  r.pciDomainID = p.pciDomain;
  r.asyncEngineCount = p.asyncEngines;
  r.unifiedAddressing = p.unifiedAddressing;
  r.memoryBusWidth = p.memoryBusBits;
  r.l2CacheSize = p.l2Bytes;
  r.maxThreadsPerMultiProcessor = p.maxThreadsPerMultiprocessor;
  r.sharedMemPerMultiprocessor = p.sharedBytesPerMultiprocessor;
  r.regsPerMultiprocessor = p.registersPerMultiprocessor;
  r.managedMemory = p.managedMemory;
  r.pageableMemoryAccess = p.pageableMemoryAccess;
  r.concurrentManagedAccess = p.concurrentManagedAccess;
  r.cooperativeLaunch = p.cooperativeLaunch;
  r.sharedMemPerBlockOptin = p.sharedBytesPerBlockOptIn;
  r.maxBlocksPerMultiProcessor = p.maxBlocksPerMultiprocessor;
}

namespace {
/// Gives a field the value of an attribute, by its number in cudaDeviceAttr; a
/// field stays 0 where the engine does not know it.
struct AttributeReader {
  template <typename Field> void operator()(int number, Field &field) const {
    int value = 0;
    if (engine.deviceAttribute(number, &value) == cudaSuccess)
      field = static_cast<Field>(value);
  }
  Engine &engine;
};
} // namespace

static void takeAttributes(cudaDeviceProp &r,
                           const AttributeReader &attribute) {
  attribute(17, r.kernelExecTimeoutEnabled);
  attribute(20, r.computeMode);
  attribute(87, r.singleToDoublePrecisionPerfRatio);
  attribute(96, r.cooperativeMultiDeviceLaunch);
  attribute(30, r.surfaceAlignment);
  attribute(51, r.texturePitchAlignment);
  attribute(78, r.streamPrioritiesSupported);
  attribute(79, r.globalL1CacheSupported);
  attribute(80, r.localL1CacheSupported);
  attribute(86, r.hostNativeAtomicSupported);
  attribute(90, r.computePreemptionSupported);
  attribute(91, r.canUseHostPointerForRegisteredMem);
  attribute(100, r.pageableMemoryAccessUsesHostPageTables);
  attribute(101, r.directManagedMemAccessFromHost);
  attribute(108, r.persistingL2CacheMaxSize);
  attribute(109, r.accessPolicyMaxWindowSize);
  attribute(111, r.reservedSharedMemPerBlock);
  attribute(99, r.hostRegisterSupported);
  attribute(115, r.memoryPoolsSupported);
  attribute(120, r.clusterLaunch);
  attribute(35, r.tccDriver);
  attribute(84, r.isMultiGpuBoard);
  attribute(85, r.multiGpuBoardGroupID);
  attribute(112, r.sparseCudaArraySupported);
  attribute(113, r.hostRegisterReadOnlySupported);
  attribute(114, r.timelineSemaphoreInteropSupported);
  attribute(116, r.gpuDirectRDMASupported);
  attribute(117, r.gpuDirectRDMAFlushWritesOptions);
  attribute(118, r.gpuDirectRDMAWritesOrdering);
  attribute(119, r.memoryPoolSupportedHandleTypes);
  attribute(121, r.deferredMappingCudaArraySupported);
  attribute(125, r.ipcEventSupported);
  attribute(129, r.unifiedFunctionPointers);
  attribute(133, r.mpsEnabled);
  attribute(139, r.gpuPciDeviceID);
  attribute(140, r.gpuPciSubsystemID);
  attribute(143, r.hostNumaMultinodeIpcSupported);
  attribute(130, r.deviceNumaConfig);
  attribute(131, r.deviceNumaId);
  attribute(134, r.hostNumaId);
}

static void takeTextureLimits(cudaDeviceProp &r,
                              const AttributeReader &attribute) {
  attribute(21, r.maxTexture1D);
  attribute(22, r.maxTexture2D[0]);
  attribute(23, r.maxTexture2D[1]);
  attribute(24, r.maxTexture3D[0]);
  attribute(25, r.maxTexture3D[1]);
  attribute(26, r.maxTexture3D[2]);
  attribute(77, r.maxTexture1DMipmap);
  attribute(73, r.maxTexture2DMipmap[0]);
  attribute(74, r.maxTexture2DMipmap[1]);
  attribute(70, r.maxTexture2DLinear[0]);
  attribute(71, r.maxTexture2DLinear[1]);
  attribute(72, r.maxTexture2DLinear[2]);
  attribute(45, r.maxTexture2DGather[0]);
  attribute(46, r.maxTexture2DGather[1]);
  attribute(47, r.maxTexture3DAlt[0]);
  attribute(48, r.maxTexture3DAlt[1]);
  attribute(49, r.maxTexture3DAlt[2]);
  attribute(52, r.maxTextureCubemap);
  attribute(42, r.maxTexture1DLayered[0]);
  attribute(43, r.maxTexture1DLayered[1]);
  attribute(27, r.maxTexture2DLayered[0]);
  attribute(28, r.maxTexture2DLayered[1]);
  attribute(29, r.maxTexture2DLayered[2]);
  attribute(53, r.maxTextureCubemapLayered[0]);
  attribute(54, r.maxTextureCubemapLayered[1]);
  attribute(55, r.maxSurface1D);
  attribute(56, r.maxSurface2D[0]);
  attribute(57, r.maxSurface2D[1]);
  attribute(58, r.maxSurface3D[0]);
  attribute(59, r.maxSurface3D[1]);
  attribute(60, r.maxSurface3D[2]);
  attribute(61, r.maxSurface1DLayered[0]);
  attribute(62, r.maxSurface1DLayered[1]);
  attribute(63, r.maxSurface2DLayered[0]);
  attribute(64, r.maxSurface2DLayered[1]);
  attribute(65, r.maxSurface2DLayered[2]);
  attribute(66, r.maxSurfaceCubemap);
  attribute(67, r.maxSurfaceCubemapLayered[0]);
  attribute(68, r.maxSurfaceCubemapLayered[1]);
}

CUFORT_API cudaError_t cudaGetDeviceProperties(cudaDeviceProp *result,
                                               int device) {
  Engine *engine = deviceAt(device);
  if (!result || !engine)
    return recordError(result ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
  const DeviceProperties &p = engine->properties();
  cudaDeviceProp &r = *result;
  std::memset(&r, 0, sizeof(r));
  takeProperties(r, p);
  takeAttributes(r, {*engine});
  takeTextureLimits(r, {*engine});
  return cudaSuccess;
}

CUFORT_API cudaError_t cudaDriverGetVersion(int *version) {
  if (!version)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    // CUDA says 0 where no driver is there, which programs take for one that
    // can do nothing; the CPU can do what the runtime can.
    *version = e.properties().driverVersion;
    if (*version == 0)
      *version = RuntimeVersion;
    return cudaSuccess;
  });
}

CUFORT_API cudaError_t cudaRuntimeGetVersion(int *version) {
  if (!version)
    return recordError(cudaErrorInvalidValue);
  *version = RuntimeVersion;
  return cudaSuccess;
}

CUFORT_API cudaError_t cudaProfilerStart() {
  if (profile::Recorder *recorder = profile::recorder())
    recorder->resume();
  return onDevice([](Engine &e) { return e.profile(true); });
}

CUFORT_API cudaError_t cudaProfilerStop() {
  // What is asked for before counts.
  const Error error = onDevice([](Engine &e) { return e.profile(false); });
  if (profile::Recorder *recorder = profile::recorder()) {
    onDevice([](Engine &e) { return e.synchronize(); });
    recorder->pause();
  }
  return error;
}
