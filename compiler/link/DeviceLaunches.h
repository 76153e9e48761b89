//===- DeviceLaunches.h - kernels that launch kernels -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LINK_DEVICELAUNCHES_H
#define CUFORT_COMPILER_LINK_DEVICELAUNCHES_H

#include "llvm/IR/Module.h"

namespace cufort {

/// Needs the whole program's device code. Clang writes a launch in device code
/// as a call of cudaLaunchDevice with the kernel's address, which is not a
/// function that any engine could call. Leaves a call of
///
///   __cufort_launch(kernel's name, parameters, grid x y z, block x y z,
///                   shared bytes, stream)
///
/// and the name in place of every address of a kernel: who runs the launch
/// finds the kernel by it in the program's image.
void nameLaunchedKernels(llvm::Module &device);

/// Whether the threads of \p kernel may launch kernels.
bool launchesKernels(const llvm::Function &kernel);

} // namespace cufort

#endif // CUFORT_COMPILER_LINK_DEVICELAUNCHES_H
