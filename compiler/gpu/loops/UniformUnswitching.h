//===- UniformUnswitching.h - unswitch uniform loops ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOOPS_UNIFORMUNSWITCHING_H
#define CUFORT_COMPILER_GPU_LOOPS_UNIFORMUNSWITCHING_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Unswitches short loops on conditions that depend on the kernel's parameters
/// and the grid's shape alone (`last ? (y * width + x) * channels : y * width +
/// x`), so that all threads take the same of the two loops. LLVM's
/// SimpleLoopUnswitch does the work, which by itself leaves every loop of a
/// target whose threads may diverge. Needs: loops in simplified form; to come
/// before gpu-partial-unrolling. Leaves: loops without such conditions, as far
/// as LLVM's limits go, and the others as they were.
llvm::PreservedAnalyses
unswitchUniformLoops(llvm::Function &function,
                     llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOOPS_UNIFORMUNSWITCHING_H
