//===- Properties.cpp - what the driver says of a device ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/CudaEngine.h"

namespace cufort::cuda {

DeviceProperties describeGpu(const Driver &driver, CUdevice device) {
  const auto number = [&](DeviceAttribute attribute) {
    int value = 0;
    driver.deviceGetAttribute(&value, attribute, device);
    return value;
  };
  const auto bytes = [&](DeviceAttribute attribute) {
    return static_cast<size_t>(number(attribute));
  };
  DeviceProperties p{};
  char name[256] = "NVIDIA device";
  driver.deviceGetName(name, sizeof(name), device);
  p.name = name;
  p.kind = "GPU";
  p.major = number(ComputeCapabilityMajor);
  p.minor = number(ComputeCapabilityMinor);
  p.codeName = "sm_" + std::to_string(p.major * 10 + p.minor);
  driver.deviceTotalMem(&p.memoryBytes, device);
  driver.deviceGetUuid(&p.uuid, device);
  driver.driverGetVersion(&p.driverVersion);
  p.multiprocessors = number(MultiprocessorCount);
  p.warpSize = number(WarpSize);
  p.maxThreadsPerBlock = number(MaxThreadsPerBlock);
  p.maxBlock[0] = number(MaxBlockX);
  p.maxBlock[1] = number(MaxBlockY);
  p.maxBlock[2] = number(MaxBlockZ);
  p.maxGrid[0] = number(MaxGridX);
  p.maxGrid[1] = number(MaxGridY);
  p.maxGrid[2] = number(MaxGridZ);
  p.maxThreadsPerMultiprocessor = number(MaxThreadsPerMultiprocessor);
  p.maxBlocksPerMultiprocessor = number(MaxBlocksPerMultiprocessor);
  p.sharedBytesPerBlock = bytes(MaxSharedPerBlock);
  p.sharedBytesPerBlockOptIn = bytes(MaxSharedPerBlockOptIn);
  p.sharedBytesPerMultiprocessor = bytes(MaxSharedPerMultiprocessor);
  p.constantBytes = bytes(TotalConstantMemory);
  p.registersPerBlock = number(MaxRegistersPerBlock);
  p.registersPerMultiprocessor = number(MaxRegistersPerMultiprocessor);
  p.clockKilohertz = number(ClockRate);
  p.memoryClockKilohertz = number(MemoryClockRate);
  p.memoryBusBits = number(MemoryBusWidth);
  p.l2Bytes = number(L2CacheSize);
  p.maxPitch = bytes(MaxPitch);
  p.textureAlignment = bytes(TextureAlignment);
  p.pciDomain = number(PciDomain);
  p.pciBus = number(PciBus);
  p.pciDevice = number(PciDevice);
  p.asyncEngines = number(AsyncEngineCount);
  p.integrated = number(Integrated);
  p.canMapHostMemory = number(CanMapHostMemory);
  p.concurrentKernels = number(ConcurrentKernels);
  p.ecc = number(EccEnabled);
  p.unifiedAddressing = number(UnifiedAddressing);
  p.managedMemory = number(ManagedMemory);
  p.concurrentManagedAccess = number(ConcurrentManagedAccess);
  p.pageableMemoryAccess = number(PageableMemoryAccess);
  p.cooperativeLaunch = number(CooperativeLaunch);
  p.computeMode = number(ComputeMode);
  p.executionTimeout = number(ExecutionTimeout);
  p.preemption = number(ComputePreemption);
  p.clusterLaunch = number(ClusterLaunch);
  return p;
}

} // namespace cufort::cuda
