//===- Unrolling.h - which loops a GPU's code repeats -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOOPS_UNROLLING_H
#define CUFORT_COMPILER_GPU_LOOPS_UNROLLING_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

// Loops are unrolled by LLVM's passes; these ask for more than LLVM's own costs
// have it:
//
// - loops with a constant trip count, three times as far: one thread in order
//   waits for each load and each barrier, and the tile of a block is such a
//   loop. With larger trip counts up to 32 iterations at a time. Not those that
//   divide and load from shared memory only, unless the number of the iteration
//   decides something in them.
// - loops over arrays in a kernel's parameters, in full.
// - short ones with at most eight iterations, of which threads may need fewer,
//   in full.
// - grid-stride and block-stride loops that read memory, by four: their trip
//   count takes a division, which LLVM does not spend by itself. Not those of a
//   warp over a row of a sparse matrix.
// - longer ones whose trip count is known when they start, by two or four,
//   unless they write in each iteration what the next may load; short ones
//   within others or over such a row by four, not LLVM's eight.
//
// What these leave over stays a loop, which ptxas is told not to unroll if it
// is short.

/// Marks the loops of which the program says how to unroll them, as LLVM
/// forgets it. To come before LLVM's pipeline.
llvm::PreservedAnalyses markUsersLoops(llvm::Function &function,
                                       llvm::FunctionAnalysisManager &manager);
/// Asks LLVM's full unrolling, which comes next, to unroll \p loop.
llvm::PreservedAnalyses
requestFullUnrolling(llvm::Loop &loop, llvm::LoopAnalysisManager &manager,
                     llvm::LoopStandardAnalysisResults &analyses,
                     llvm::LPMUpdater &updater);
/// Asks LLVM's partial unrolling, which comes late, to unroll \p loop, and
/// forbids it where threads wait for each other.
llvm::PreservedAnalyses
requestPartialUnrolling(llvm::Loop &loop, llvm::LoopAnalysisManager &manager,
                        llvm::LoopStandardAnalysisResults &analyses,
                        llvm::LPMUpdater &updater);
/// Drops what was asked for and not done, of which LLVM would warn the user.
llvm::PreservedAnalyses
dropUnrollRequests(llvm::Function &function,
                   llvm::FunctionAnalysisManager &manager);
/// Takes LLVM's mark off loops that it has unrolled in part, which would keep
/// ptxas from overlapping iterations. Remainder loops keep it.
llvm::PreservedAnalyses
allowUnrollingByPtxas(llvm::Function &function,
                      llvm::FunctionAnalysisManager &manager);
/// Makes the branch at a loop's latch go back where its condition holds: the
/// code generator cannot invert it, and ptxas takes two branches for a loop
/// whose trip count it does not know.
llvm::PreservedAnalyses
branchBackOnTrue(llvm::Function &function,
                 llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOOPS_UNROLLING_H
