//===- PopulationCounts.h - loops that count a number's bits ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOOPS_POPULATIONCOUNTS_H
#define CUFORT_COMPILER_GPU_LOOPS_POPULATIONCOUNTS_H

#include "llvm/Passes/PassBuilder.h"

namespace cufort {

/// Makes the pipeline of \p builder compute what
///
///     for (count = 0; x; ++count) x &= x - 1;
///
/// counts with the GPU's instruction for it. LLVM recognises the loop where the
/// target says that it has one, which NVPTX does not say. Needs: loops that
/// test at their end. Leaves: no such loops; LLVM deletes what is left of them.
void countBitsAtOnce(llvm::PassBuilder &builder);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOOPS_POPULATIONCOUNTS_H
