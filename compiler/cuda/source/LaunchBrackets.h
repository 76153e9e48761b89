//===- LaunchBrackets.h - launches that editors have formatted --*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_SOURCE_LAUNCHBRACKETS_H
#define CUFORT_COMPILER_CUDA_SOURCE_LAUNCHBRACKETS_H

#include "compiler/cuda/source/SourceEdits.h"

namespace cufort::cuda {

/// Launches whose brackets have blanks within, as editors that do not know CUDA
/// leave them and nvcc takes them:
///
///     kernel << <grid, block>> >(...);
///
/// The blanks go behind the brackets, so that lines stay where they are.
extern const SourceForm LaunchBrackets;

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_SOURCE_LAUNCHBRACKETS_H
