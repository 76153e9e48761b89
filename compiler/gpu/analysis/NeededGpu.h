//===- NeededGpu.h - what device code needs of a GPU ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ANALYSIS_NEEDEDGPU_H
#define CUFORT_COMPILER_GPU_ANALYSIS_NEEDEDGPU_H

#include <string>

namespace llvm {
class Module;
}

namespace cufort {

/// What a module of device code has that older GPUs lack.
struct NeededGpu {
  unsigned architecture = 0; ///< 90 is sm_90; 0: nothing
  unsigned ptxVersion = 0;   ///< 80 is PTX 8.0
  std::string construct;     ///< in the user's words
  std::string location;      ///< where it is (locationOf), or ""
};
NeededGpu neededGpu(const llvm::Module &device);

/// The oldest version of PTX that has \p architecture, which LLVM takes if
/// nothing else is said.
unsigned firstPtxVersion(unsigned architecture);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ANALYSIS_NEEDEDGPU_H
