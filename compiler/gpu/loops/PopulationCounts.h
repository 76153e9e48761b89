//===- PopulationCounts.h - loops that count a number's bits ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOOPS_POPULATIONCOUNTS_H
#define CUFORT_COMPILER_GPU_LOOPS_POPULATIONCOUNTS_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Computes what
///
///     for (count = 0; x; ++count) x &= x - 1;
///
/// counts with the GPU's instruction for it, `popc`. LLVM recognises the loop
/// where the target says that it has one, which NVPTX does not say. Needs:
/// loops that test at their end. Leaves: no such loops; LLVM deletes what is
/// left of them.
llvm::PreservedAnalyses
recognisePopulationCounts(llvm::Loop &loop, llvm::LoopAnalysisManager &manager,
                          llvm::LoopStandardAnalysisResults &analyses,
                          llvm::LPMUpdater &updater);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOOPS_POPULATIONCOUNTS_H
