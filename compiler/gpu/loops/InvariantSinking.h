//===- InvariantSinking.h - what single inner loops need --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOOPS_INVARIANTSINKING_H
#define CUFORT_COMPILER_GPU_LOOPS_INVARIANTSINKING_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Computes simple things, such as `n & 3` for what an unrolled loop leaves
/// over, where one part of a loop needs them. LLVM does so before the outermost
/// loop, and they would be kept while all other loops in it are running. ptxas
/// then computes indices that all threads have in common in each thread.
llvm::PreservedAnalyses sinkInvariants(llvm::Function &function,
                                       llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOOPS_INVARIANTSINKING_H
