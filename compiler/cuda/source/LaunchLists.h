//===- LaunchLists.h - lists as arguments of a launch -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_SOURCE_LAUNCHLISTS_H
#define CUFORT_COMPILER_CUDA_SOURCE_LAUNCHLISTS_H

#include "compiler/cuda/source/SourceEdits.h"

namespace cufort::cuda {

/// Launches whose grid and block, bytes of shared memory and stream are lists,
/// as with nvcc:
///
///     kernel<<<blocks, {32, 4}, 0, {}>>>(...);
///
/// Clang's grammar has only expressions there, so such a list gets the type's
/// name before.
extern const SourceForm LaunchLists;

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_SOURCE_LAUNCHLISTS_H
