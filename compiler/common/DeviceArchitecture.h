//===- DeviceArchitecture.h - what a file of device code is ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_COMMON_DEVICEARCHITECTURE_H
#define CUFORT_COMPILER_COMMON_DEVICEARCHITECTURE_H

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace cufort {

/// A flag of modules of device code: the GPU that a source was compiled for (80
/// is sm_80), where its language asks for one (__CUDA_ARCH__). The device link
/// keeps the highest.
inline constexpr char ArchitectureFlag[] = "cufort.architecture";

/// The newest GPU that a file of \p device was compiled for, or 0.
inline unsigned compiledFor(const llvm::Module &device) {
  auto *flag = llvm::mdconst::extract_or_null<llvm::ConstantInt>(
      device.getModuleFlag(ArchitectureFlag));
  return flag ? static_cast<unsigned>(flag->getZExtValue()) : 0;
}

/// Metadata of modules of device code whose variables are the file's own where
/// another file has such, too: a string of hexadecimal digits that no other
/// file has. The host's entries of its variables have it as their data.
inline constexpr char UnitMetadata[] = "cufort.unit";

} // namespace cufort

#endif // CUFORT_COMPILER_COMMON_DEVICEARCHITECTURE_H
