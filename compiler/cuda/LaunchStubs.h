//===- LaunchStubs.h - kernels of C by the names that Fortran knows -------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_LAUNCHSTUBS_H
#define CUFORT_COMPILER_CUDA_LAUNCHSTUBS_H

#include "llvm/IR/Module.h"

namespace cufort::cuda {

/// Needs the host's half of a source. A kernel with C's name, k, is to Clang
/// the host function __device_stub__k, which launches it; to Fortran it is k,
/// an address by which it is launched. Leaves both names for what the file
/// defines, and for what it only launches a weak __device_stub__k that launches
/// k, and is registered as k, in case Fortran defines the kernel.
void joinLaunchStubs(llvm::Module &host);

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_LAUNCHSTUBS_H
