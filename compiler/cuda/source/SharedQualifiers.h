//===- SharedQualifiers.h - __device__ __shared__ ------------- -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_SOURCE_SHAREDQUALIFIERS_H
#define CUFORT_COMPILER_CUDA_SOURCE_SHAREDQUALIFIERS_H

#include "compiler/cuda/source/SourceEdits.h"

namespace cufort::cuda {

/// __device__ beside __shared__, in either order (guide, B.2.3):
///
///     __device__ __shared__ int total;
///
/// It says nothing more, and Clang refuses it within functions, so it is left
/// out.
extern const SourceForm SharedQualifiers;

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_SOURCE_SHAREDQUALIFIERS_H
