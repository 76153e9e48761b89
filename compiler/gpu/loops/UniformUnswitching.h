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

/// Makes two of a short loop, one for either answer, if each iteration asks
/// what depends on the kernel's parameters and the grid's shape alone (`last ?
/// (y * width + x) * channels : y * width + x`). All threads go into the same
/// of the two; LLVM, whose pass that is, does it on no target whose threads may
/// part, and of what parts them it would do no good. Needs: simplified loops;
/// to come before gpu-partial-unrolling. Leaves: loops without such conditions,
/// as far as LLVM's limits go, and the others as they were.
llvm::PreservedAnalyses
unswitchUniformLoops(llvm::Function &function,
                     llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOOPS_UNIFORMUNSWITCHING_H
