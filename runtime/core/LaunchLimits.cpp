//===- LaunchLimits.cpp - which launches a device takes -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/LaunchLimits.h"

namespace cufort {

static bool inside(const image::Dim3 &d, const int (&limit)[3]) {
  return d.x >= 1 && d.y >= 1 && d.z >= 1 && d.x <= uint32_t(limit[0]) &&
         d.y <= uint32_t(limit[1]) && d.z <= uint32_t(limit[2]);
}

Error checkLaunch(const DeviceProperties &p, const image::Kernel &kernel,
                  const LaunchConfiguration &c) {
  if (!inside(c.grid, p.maxGrid) || !inside(c.block, p.maxBlock))
    return cudaErrorInvalidConfiguration;
  const uint64_t threads = uint64_t(c.block.x) * c.block.y * c.block.z;
  if (threads > uint64_t(p.maxThreadsPerBlock) ||
      (kernel.maxThreadsPerBlock && threads > kernel.maxThreadsPerBlock))
    return cudaErrorInvalidConfiguration;
  // More static shared memory than a block may have is refused at link time.
  if (uint64_t(kernel.staticSharedBytes) + c.dynamicSharedBytes >
      p.sharedBytesPerBlockOptIn)
    return cudaErrorInvalidConfiguration;
  return cudaSuccess;
}

Error checkCluster(const DeviceProperties &p, const LaunchConfiguration &c,
                   unsigned mostBlocks) {
  if (!c.clustered())
    return cudaSuccess;
  if (!p.clusterLaunch)
    return cudaErrorNotSupported;
  const image::Dim3 &k = c.cluster;
  if (!k.x || !k.y || !k.z || uint64_t(k.x) * k.y * k.z > mostBlocks)
    return cudaErrorInvalidClusterSize;
  return c.grid.x % k.x || c.grid.y % k.y || c.grid.z % k.z
             ? cudaErrorInvalidClusterSize
             : cudaSuccess;
}

} // namespace cufort
