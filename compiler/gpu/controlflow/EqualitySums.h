//===- EqualitySums.h - sums that a condition makes equal -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_CONTROLFLOW_EQUALITYSUMS_H
#define CUFORT_COMPILER_GPU_CONTROLFLOW_EQUALITYSUMS_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Uses sums again that a condition makes equal to what is needed:
///
///     ... s[t + n] ...
///     if (t == n - 1)
///       last = s[2 * n - 1];
///
/// is the element that has been found before, and LLVM then loads it once. It
/// knows that `n - 1` is `t` there, but not that `2 * n - 1` is `t + n`. Needs
/// variables in registers; leaves the flow of control, and computes nothing
/// that was not computed before.
llvm::PreservedAnalyses reuseEqualSums(llvm::Function &function,
                                       llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_CONTROLFLOW_EQUALITYSUMS_H
