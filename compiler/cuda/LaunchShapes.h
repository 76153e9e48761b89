//===- LaunchShapes.h - block shapes known from launches --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_LAUNCHSHAPES_H
#define CUFORT_COMPILER_CUDA_LAUNCHSHAPES_H

#include "llvm/IR/Module.h"

namespace cufort::cuda {

/// Writes into \p device the block shapes of the launches in \p host,
/// optimised, that are constants there, as compiler/lower does for Fortran
/// (image/DeviceCode.h). Kernels of other files are left out.
void noteLaunchShapes(const llvm::Module &host, llvm::Module &device);

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_LAUNCHSHAPES_H
