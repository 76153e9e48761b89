//===- ExitTests.h - how loops count their iterations -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOOPS_EXITTESTS_H
#define CUFORT_COMPILER_GPU_LOOPS_EXITTESTS_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Tests the exit of a loop by the next value of its induction variable, `++i
/// != n + 1`: LLVM makes `i++ != n` of it, and of the first form alone does
/// ptxas know the trip count, and unroll the loop. Not in a loop of one block
/// that writes what it may load. What a loop has of the variable's value in the
/// iteration before is computed from the variable instead of being a phi of its
/// own. Needs loops that branch back at their latch where the condition holds;
/// leaves loops and branches as they are.
llvm::PreservedAnalyses testNextValue(llvm::Function &function,
                                      llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOOPS_EXITTESTS_H
