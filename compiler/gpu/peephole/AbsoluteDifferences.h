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

/// Computes distances of integers, as in `sum += abs(a[i] - b[i])`, in the one
/// instruction that GPUs have for a distance and a sum. Of numbers of 8 and 16
/// bits LLVM has made the larger one less the smaller one, in as few bits as
/// that takes.
llvm::PreservedAnalyses
formAbsoluteDifferences(llvm::Function &function,
                        llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_PEEPHOLE_ABSOLUTEDIFFERENCES_H
