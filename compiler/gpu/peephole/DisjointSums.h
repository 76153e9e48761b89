//===- DisjointSums.h - sums as sums ----------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_PEEPHOLE_DISJOINTSUMS_H
#define CUFORT_COMPILER_GPU_PEEPHOLE_DISJOINTSUMS_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Makes sums of the `or disjoint` that LLVM makes of sums without carries, as
/// of `i * 2048 + j` where j has been compared with 2048. A GPU shifts,
/// multiplies and adds in one instruction, but not if it is told to combine
/// bits.
llvm::PreservedAnalyses
restoreDisjointSums(llvm::Function &function,
                    llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_PEEPHOLE_DISJOINTSUMS_H
