//===- LaunchLimits.h - which launches a device takes -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_LAUNCHLIMITS_H
#define CUFORT_RUNTIME_CORE_LAUNCHLIMITS_H

#include "runtime/core/engine/Engine.h"

namespace cufort {

/// cudaErrorInvalidConfiguration for a grid, a block or an amount of shared
/// memory that \p properties or the kernel's launch_bounds do not allow. (For
/// too much shared memory CUDA itself says cudaErrorInvalidValue.)
Error checkLaunch(const DeviceProperties &properties,
                  const image::Kernel &kernel,
                  const LaunchConfiguration &configuration);

/// The blocks of a cluster that every device with clusters takes, and what
/// some take where a kernel allows it.
inline constexpr unsigned PortableClusterBlocks = 8, MostClusterBlocks = 16;

/// Whether the grid of \p configuration consists of its clusters.
Error checkCluster(const DeviceProperties &properties,
                   const LaunchConfiguration &configuration,
                   unsigned mostBlocks);

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_LAUNCHLIMITS_H
