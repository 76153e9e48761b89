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

/// Tests the end of loops by the value that their counter has next, `++i != n +
/// 1`: LLVM makes `i++ != n` of it, and ptxas counts the iterations of, and
/// repeats, the first only. Not in one of a single block that writes what it
/// may load. What a loop has of its counter's last iteration is computed from
/// the counter instead of carried. Needs loops that branch back at their end
/// where the condition holds; leaves loops and branches as they are.
llvm::PreservedAnalyses testNextValue(llvm::Function &function,
                                      llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOOPS_EXITTESTS_H
