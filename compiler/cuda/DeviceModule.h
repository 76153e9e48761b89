//===- DeviceModule.h - Clang's device code as the engines want it --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_DEVICEMODULE_H
#define CUFORT_COMPILER_CUDA_DEVICEMODULE_H

#include "llvm/IR/Module.h"

namespace cufort::cuda {

/// Makes of Clang's device code what Fortran's also is: without attributes that
/// tie a function to one processor or keep it from being inlined into those of
/// the other language, and without the symbols by which Clang keeps things
/// alive until they are linked. What the file was compiled for stays as a flag
/// (compiler/common/DeviceArchitecture.h).
void adaptDeviceModule(llvm::Module &device);

/// Variables of \p device have a namesake in \p host, whose address stands for
/// them there. As nvcc's, it does not stand in the way of other variables of
/// that name in files of C++. If \p unit is not empty, device variables of
/// other files do not, either: the file has addresses of its own, which the
/// device link can tell by \p unit.
void separateShadows(llvm::Module &host, llvm::Module &device,
                     llvm::StringRef unit);

/// Whether \p device holds anything at all for a device.
bool hasDeviceCode(const llvm::Module &device);

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_DEVICEMODULE_H
