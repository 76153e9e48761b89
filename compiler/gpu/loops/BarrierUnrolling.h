//===- BarrierUnrolling.h - loops that hold a barrier -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOOPS_BARRIERUNROLLING_H
#define CUFORT_COMPILER_GPU_LOOPS_BARRIERUNROLLING_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Unrolls short loops with one barrier in each iteration, and all with
/// barriers whose unroll count the program gives, with a remainder loop. LLVM
/// does not, as threads with different trip counts would then reach different
/// copies of what they have to execute together. At a barrier for the whole
/// block that is out of the question: each of its threads has the same trip
/// count.
///
/// Needs the trip count when the loop starts. Behind its only barrier all warps
/// of a block are at the loop's end, and there is nothing to overlap it with.
/// Where one has several, such loops have few iterations and wait for other
/// things.
llvm::PreservedAnalyses
unrollBarrierLoops(llvm::Loop &loop, llvm::LoopAnalysisManager &manager,
                   llvm::LoopStandardAnalysisResults &analyses,
                   llvm::LPMUpdater &updater);

/// Whether \p instruction is a barrier for all threads of the block, which all
/// of them execute.
bool isBarrier(const llvm::Instruction &instruction);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOOPS_BARRIERUNROLLING_H
