//===- GridStrides.h - loops in steps of the grid go up ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOOPS_GRIDSTRIDES_H
#define CUFORT_COMPILER_GPU_LOOPS_GRIDSTRIDES_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Tells LLVM, before it unrolls loops as `for (i = thread; i < n; i +=
/// threads)`, that the second `i` is above the first: with any other step the
/// loop would go on for ever, or `i` overflow. The trip count is then a
/// quotient of `n - i - 1`; LLVM, which knows nothing of the step, computes a
/// maximum and a selection for the case of an `i + threads` above `n`, which a
/// short kernel waits for before its first load. Needs: loops whose condition
/// is at their end and which are entered under the same one, sums that are said
/// not to wrap, and that LLVM may take such a loop's end for granted;
/// to come before gpu-partial-unrolling. Leaves: the loops as they were, and
/// nothing of what it has said.
llvm::PreservedAnalyses
assumeStrides(llvm::Loop &loop, llvm::LoopAnalysisManager &manager,
              llvm::LoopStandardAnalysisResults &analyses,
              llvm::LPMUpdater &updater);
llvm::PreservedAnalyses
dropStrideAssumptions(llvm::Function &function,
                      llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOOPS_GRIDSTRIDES_H
