//===- RowAddresses.h - one row's address after the other -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ADDRESSING_ROWADDRESSES_H
#define CUFORT_COMPILER_GPU_ADDRESSING_ROWADDRESSES_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Computes, within a block, the addresses `a[i + n]`, `a[i + 2 * n]`, ... each
/// from the one before. A product of 32 bits with the sign that it has, `n *
/// 4`, is then all that they have in common, and ptxas adds its multiples to
/// the first address in one instruction each; of the indices it would compute
/// the multiples of `n` first, and keep them where they are needed again.
/// Leaves accesses of other memory than global as they were.
llvm::PreservedAnalyses
chainRowAddresses(llvm::Function &function,
                  llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ADDRESSING_ROWADDRESSES_H
