//===- NegatedStarts.h - loops from -r to r ---------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOOPS_NEGATEDSTARTS_H
#define CUFORT_COMPILER_GPU_LOOPS_NEGATEDSTARTS_H

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace cufort {

/// Computes where a loop starts that counts from `-r` to a limit in another
/// way, `~r + 1`, in assembly that LLVM does not look into.
///
///     for (i = -r; i <= r; i++)
///       atomicAdd(&sums[at + i], w);
///
/// ptxas (of CUDA 13.0, and that of driver 580) counts the iterations of such a
/// loop wrongly where it ends at `r + 1`, and r is the thread's own: of one
/// that it does not repeat, as for atomic operations or loops within, it keeps
/// the first iteration alone. nvcc's loops end at `r` by what the counter was
/// before. To come after what else changes loops, and before instructions are
/// selected.
llvm::FunctionPass *createNegatedStartsPass();

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOOPS_NEGATEDSTARTS_H
