//===- BranchImpliedValues.h - what a branch decides ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_CONTROLFLOW_BRANCHIMPLIEDVALUES_H
#define CUFORT_COMPILER_GPU_CONTROLFLOW_BRANCHIMPLIEDVALUES_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Replaces sums with a condition, and selects by it, by the value that they
/// have on each edge of the branch behind them that has the same condition:
///
///     count += isInside;
///     if (!isInside)
///       break;
///
/// LLVM makes this of a count behind the branch. On one edge it is the old
/// count, on the other one more, and neither needs the condition as a number.
/// Needs nothing; leaves the branch, and the value itself where it is used
/// behind both edges.
llvm::PreservedAnalyses
replaceImpliedValues(llvm::Function &function,
                     llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_CONTROLFLOW_BRANCHIMPLIEDVALUES_H
