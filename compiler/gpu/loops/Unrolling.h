//===- Unrolling.h - which loops a GPU's code repeats -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOOPS_UNROLLING_H
#define CUFORT_COMPILER_GPU_LOOPS_UNROLLING_H

#include "llvm/Passes/PassBuilder.h"

namespace cufort {

/// Makes the pipeline of \p builder unroll more than LLVM's own costs have it:
///
///   loops with a constant number of turns, three times as far: one thread in
///   order waits for each load and each barrier, and the tile of a block is
///   such a loop; of those with more turns, up to 32 at a time. Not those that
///   divide and load from shared memory only, unless the number of the turn
///   decides something in them
///   loops over arrays in a kernel's parameters, all turns
///   short ones with at most eight turns, of which threads may need fewer, all
///   turns
///   loops in steps of the block or the grid that read memory, by four: their
///   number of turns takes a division, which LLVM does not spend by itself; not
///   those of a warp over a row of a sparse matrix
///   longer ones, of which the number of turns is known when they start, by two
///   or four, unless they write in each turn what the next may load; short ones
///   within others or over such a row by four, not LLVM's eight
///   what is left over by other unrolled loops, a turn or two: as a loop it
///   would keep the threads of a warp apart; where that would be too long, it
///   is a loop that ptxas is told not to repeat
void unrollForGpu(llvm::PassBuilder &builder);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOOPS_UNROLLING_H
