//===- Clusters.cpp - clusters of blocks on the CPU -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cluster is a box of neighbouring blocks of the grid. Any shape of up to 8
// blocks (16 where a kernel allows it) can be launched, as on a GPU with
// clusters. CooperativeOperation runs them.
//
//===----------------------------------------------------------------------===//

#include "runtime/core/LaunchLimits.h"
#include "runtime/cpu/CpuEngine.h"
#include <algorithm>

namespace cufort::cpu {

unsigned CpuEngine::mostClusterBlocks(const image::Kernel &kernel) {
  if (!anyLargeClusters.load(std::memory_order_acquire))
    return PortableClusterBlocks;
  std::lock_guard lock(mutex);
  return largeClusters.count(&kernel) ? MostClusterBlocks
                                      : PortableClusterBlocks;
}

Error CpuEngine::allowLargeClusters(const KernelReference &kernel,
                                    bool allowed) {
  std::lock_guard lock(mutex);
  if (allowed)
    largeClusters.insert(kernel.kernel);
  else
    largeClusters.erase(kernel.kernel);
  anyLargeClusters.store(!largeClusters.empty(), std::memory_order_release);
  return cudaSuccess;
}

Error CpuEngine::clusterFor(const KernelReference &reference,
                            const image::Kernel &kernel,
                            const LaunchConfiguration &configuration,
                            image::Dim3 *cluster) {
  const image::Dim3 own = {kernel.cluster & 0xff, kernel.cluster >> 8 & 0xff,
                           kernel.cluster >> 16};
  LaunchConfiguration clustered = configuration;
  if (!configuration.clustered()) {
    clustered.cluster = own;
  } else if (kernel.cluster && (own.x != configuration.cluster.x ||
                                own.y != configuration.cluster.y ||
                                own.z != configuration.cluster.z)) {
    return cudaErrorInvalidClusterSize;
  }
  if (Error error = checkCluster(description, clustered,
                                 mostClusterBlocks(*reference.kernel));
      error != cudaSuccess)
    return error;
  *cluster = clustered.clustered() ? clustered.cluster : image::Dim3{1, 1, 1};
  return cudaSuccess;
}

Error CpuEngine::maxClusterSize(const KernelReference &kernel,
                                const LaunchConfiguration &configuration,
                                int *blocks) {
  LaunchConfiguration single = configuration;
  single.cluster = {0, 0, 0};
  if (Error error = checkLaunch(description, *kernel.kernel, single);
      error != cudaSuccess)
    return cudaErrorInvalidValue;
  *blocks = static_cast<int>(mostClusterBlocks(*kernel.kernel));
  return cudaSuccess;
}

Error CpuEngine::residentClusters(const KernelReference &kernel,
                                  const LaunchConfiguration &configuration,
                                  int *clusters) {
  if (Error error = checkCluster(description, configuration,
                                 mostClusterBlocks(*kernel.kernel));
      error != cudaSuccess)
    return error;
  if (checkLaunch(description, *kernel.kernel, configuration) != cudaSuccess) {
    *clusters = 0; // of a launch that cannot be
    return cudaSuccess;
  }
  const image::Dim3 &b = configuration.block, &c = configuration.cluster;
  int each, multiprocessors;
  if (Error error = residentBlocks(kernel, b.x * b.y * b.z,
                                   configuration.dynamicSharedBytes, &each,
                                   &multiprocessors);
      error != cudaSuccess)
    return error;
  const int size = configuration.clustered() ? int(c.x * c.y * c.z) : 1;
  *clusters = std::max(1, each * multiprocessors / size);
  return cudaSuccess;
}

} // namespace cufort::cpu
