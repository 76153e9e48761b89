//===- ExitMerging.h - threads without work leave at one branch -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_CONTROLFLOW_EXITMERGING_H
#define CUFORT_COMPILER_GPU_CONTROLFLOW_EXITMERGING_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// After this pass a thread that has nothing to do leaves at one branch, though
/// it is known by several conditions:
///
///     if (i < 1 || i >= n - 1 || j < 1 || j >= m - 1) return;
///
/// LLVM branches several times where more than a comparison is computed for
/// one of them. The threads of a warp are seldom of one mind, so that all are
/// computed anyway, one after the other. Leaves fewer blocks.
llvm::PreservedAnalyses mergeEarlyExits(llvm::Function &function,
                                        llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_CONTROLFLOW_EXITMERGING_H
