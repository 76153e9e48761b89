//===- Warps.h - loops over warps -------------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_SIMD_WARPS_H
#define CUFORT_COMPILER_CPU_SIMD_WARPS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-warps. Needs cpu-fission. Leaves no warp operations: loops over threads
/// that work together as warps (ThreadLoops::keepWarpsTogether) become loops
/// over warps, whose 32 lanes go in step as the elements of vectors. Where a
/// warp lies in one row of the block, its lanes are neighbours in x; else x, y
/// and z are worked out from their numbers. Kernels whose control flow does not
/// allow it run on fibers (runOnFibers).
llvm::Error vectoriseWarps(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_SIMD_WARPS_H
