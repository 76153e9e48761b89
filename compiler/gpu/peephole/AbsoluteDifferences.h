//===- AbsoluteDifferences.h - absolute differences -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_PEEPHOLE_ABSOLUTEDIFFERENCES_H
#define CUFORT_COMPILER_GPU_PEEPHOLE_ABSOLUTEDIFFERENCES_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Forms the GPU's instruction `sad`, which adds an absolute difference of
/// integers to a sum: `sum += abs(a[i] - b[i])`. Of numbers of 8 and 16 bits
/// LLVM has made the maximum less the minimum, in as few bits as that takes.
/// Needs nothing; leaves the flow of control.
llvm::PreservedAnalyses
formAbsoluteDifferences(llvm::Function &function,
                        llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_PEEPHOLE_ABSOLUTEDIFFERENCES_H
