//===- LaunchAttributes.h - attributes of launches --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_API_LAUNCHATTRIBUTES_H
#define CUFORT_RUNTIME_API_LAUNCHATTRIBUTES_H

#include "runtime/api/RuntimeApi.h"

namespace cufort {

/// What matters of the attributes of a launch.
struct LaunchAttributes {
  bool cooperative = false;
  dim3 cluster = {0, 0, 0};
  bool overlaps = false; ///< as LaunchConfiguration's
};

/// Reads them; cudaErrorNotSupported: there is one that we do not know.
cudaError_t readAttributes(const cudaLaunchConfig_t &configuration,
                           LaunchAttributes *result);

} // namespace cufort

#endif // CUFORT_RUNTIME_API_LAUNCHATTRIBUTES_H
