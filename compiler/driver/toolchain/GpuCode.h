//===- GpuCode.h - PTX and cubins as output ---------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_TOOLCHAIN_GPUCODE_H
#define CUFORT_COMPILER_DRIVER_TOOLCHAIN_GPUCODE_H

#include "compiler/driver/options/CommandLine.h"
#include <string>

namespace cufort::driver {

/// Writes the PTX that the device link has left at \p stem, one file for one
/// architecture, or what NVIDIA's assembler makes of it, to \p output. False
/// after a diagnostic.
bool writeGpuCode(const CommandLine &line, llvm::StringRef stem,
                  const std::string &output);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_TOOLCHAIN_GPUCODE_H
