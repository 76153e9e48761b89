//===- LaunchLimits.h - which launches a device takes -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_LAUNCHLIMITS_H
#define CUFORT_RUNTIME_CORE_LAUNCHLIMITS_H

#include "runtime/core/Engine.h"

namespace cufort {

/// cudaErrorInvalidConfiguration for a grid, a block or an amount of shared
/// memory that \p properties or the kernel's launch_bounds do not allow. (For
/// too much shared memory CUDA itself says cudaErrorInvalidValue.)
Error checkLaunch(const DeviceProperties &properties,
                  const image::Kernel &kernel,
                  const LaunchConfiguration &configuration);

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_LAUNCHLIMITS_H
