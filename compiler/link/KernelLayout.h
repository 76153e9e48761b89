//===- KernelLayout.h - a kernel's parameters and limits ------ -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LINK_KERNELLAYOUT_H
#define CUFORT_COMPILER_LINK_KERNELLAYOUT_H

#include "image/Image.h"
#include "llvm/IR/Function.h"
#include <vector>

namespace cufort {

/// What image::Kernel says of a kernel on every device.
struct KernelLayout {
  std::vector<image::Parameter> parameters;
  uint32_t parameterBytes = 0;
  uint32_t staticSharedBytes = 0; ///< a multiple of 16
  uint32_t constantBytes = 0;     ///< see image::Kernel
  uint32_t localBytes = 0;        ///< likewise
  uint32_t maxThreadsPerBlock = 0;
  uint32_t minBlocksPerMultiprocessor = 0;
  uint32_t cluster = 0;
  bool launchesKernels = false;
};

/// What a launch can carry, from CUDA 12.1 on.
inline constexpr uint32_t MostParameterBytes = 32764;

/// True for a kernel that is defined.
bool isKernel(const llvm::Function &function);

/// The layout of \p kernel, from its parameters, its attributes, and the
/// variables that it and the procedures it calls use.
KernelLayout layoutOf(const llvm::Function &kernel);

} // namespace cufort

#endif // CUFORT_COMPILER_LINK_KERNELLAYOUT_H
