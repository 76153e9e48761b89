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

/// Takes apart what the branch behind it decides:
///
///     count += isInside;
///     if (!isInside)
///       break;
///
/// LLVM makes this of a count behind the branch; of the two branches one has
/// the old count and the other one more, and neither needs the condition as a
/// number. The same goes for a value that is selected by the condition.
llvm::PreservedAnalyses
replaceImpliedValues(llvm::Function &function,
                     llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_CONTROLFLOW_BRANCHIMPLIEDVALUES_H
