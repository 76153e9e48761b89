//===- ReadOnlyParameters.h - what a kernel cannot write to -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOWERING_READONLYPARAMETERS_H
#define CUFORT_COMPILER_GPU_LOWERING_READONLYPARAMETERS_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Finds, before loops are unrolled, the pointers of a kernel's parameters
/// through which it only reads, while all that it writes is said to be reached
/// in no other way (`__restrict__`) or to be the thread's or the block's own:
///
///     void split(float *__restrict__ q, float *__restrict__ k, const float
///     *in)
///
/// Nothing changes what is behind `in` while the kernel runs, so that it may be
/// read through the cache for constants, and before what stands above is
/// written. Needs: procedures inlined. Leaves: such parameters said to be
/// reached in no other way either.
llvm::PreservedAnalyses
inferReadOnlyParameters(llvm::Function &function,
                        llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_READONLYPARAMETERS_H
