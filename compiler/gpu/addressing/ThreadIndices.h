//===- ThreadIndices.h - the size of a block is read first ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ADDRESSING_THREADINDICES_H
#define CUFORT_COMPILER_GPU_ADDRESSING_THREADINDICES_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Moves the read of the block's size before that of the block's index where
/// both are in one basic block:
///
///     i = blockIdx.x * blockDim.x + threadIdx.x
///
/// In this order ptxas reads the index into a register of the thread; in the
/// other into a uniform register, which takes longer, and each kernel waits for
/// it first. So it does of an index that is compared with a sum of parameters,
/// if the sum is computed first: an instruction takes one uniform operand, and
/// then the sum is that.
///
///     if (blockIdx.y >= height + 2 * edge)
///
/// Needs nothing; leaves the flow of control.
llvm::PreservedAnalyses
readBlockSizeFirst(llvm::Function &function,
                   llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ADDRESSING_THREADINDICES_H
