//===- Clusters.cpp - clusters of blocks on NVIDIA devices ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/LaunchLimits.h"
#include "runtime/core/StreamNumbers.h"
#include "runtime/cuda/CudaEngine.h"

namespace cufort::cuda {
namespace {

/// A launch in the driver's words.
struct Description {
  explicit Description(const LaunchConfiguration &c) {
    const auto &g = c.grid, &b = c.block;
    description = {
        {g.x, g.y, g.z},      {b.x, b.y, b.z},
        c.dynamicSharedBytes, static_cast<CUstream>(handleOf(c.stream)),
        attributes,           0};
    if (c.clustered()) {
      LaunchAttribute &a = attributes[description.attributeCount++];
      a.id = LaunchAttribute::Cluster;
      a.cluster[0] = c.cluster.x;
      a.cluster[1] = c.cluster.y;
      a.cluster[2] = c.cluster.z;
    }
    if (c.cooperative) {
      LaunchAttribute &a = attributes[description.attributeCount++];
      a.id = LaunchAttribute::Cooperative;
      a.cooperative = 1;
    }
    if (c.overlaps) {
      LaunchAttribute &a = attributes[description.attributeCount++];
      a.id = LaunchAttribute::Overlap;
      a.overlap = 1;
    }
  }

  LaunchAttribute attributes[3];
  LaunchDescription description;
};

} // namespace

bool CudaEngine::needsAttributes(CUfunction function, LaunchConfiguration *c) {
  // A kernel for older GPUs has no instruction to wait with.
  int version = 0;
  c->overlaps =
      c->overlaps && description.major >= 9 &&
      !driver.functionGetAttribute(&version, FunctionPtxVersion, function) &&
      version >= 90;
  return c->clustered() || c->overlaps;
}

Error CudaEngine::launchWithAttributes(CUfunction function,
                                       const LaunchConfiguration &c,
                                       void **parameters, void **extra) {
  // Whether a kernel may have large clusters is the driver's to know.
  if (Error error = checkCluster(description, c, MostClusterBlocks);
      error != cudaSuccess)
    return error;
  const Description launch(c);
  return errorOf(
      driver.launchKernelEx(&launch.description, function, parameters, extra));
}

Error CudaEngine::maxClusterSize(const KernelReference &kernel,
                                 const LaunchConfiguration &c, int *blocks) {
  LoadedProgram *program;
  CUfunction function;
  if (Error error = functionOf(kernel, &program, &function);
      error != cudaSuccess)
    return error;
  const Description launch(c);
  return errorOf(driver.maxClusterSize(blocks, function, &launch.description));
}

Error CudaEngine::residentClusters(const KernelReference &kernel,
                                   const LaunchConfiguration &c,
                                   int *clusters) {
  LoadedProgram *program;
  CUfunction function;
  if (Error error = functionOf(kernel, &program, &function);
      error != cudaSuccess)
    return error;
  if (Error error = checkCluster(description, c, MostClusterBlocks);
      error != cudaSuccess)
    return error;
  const Description launch(c);
  return errorOf(
      driver.activeClusters(clusters, function, &launch.description));
}

Error CudaEngine::allowLargeClusters(const KernelReference &kernel,
                                     bool allowed) {
  LoadedProgram *program;
  CUfunction function;
  if (Error error = functionOf(kernel, &program, &function);
      error != cudaSuccess)
    return error;
  return errorOf(
      driver.functionSetAttribute(function, FunctionLargeClusters, allowed));
}

} // namespace cufort::cuda
