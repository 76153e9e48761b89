//===- ExitTests.h - how loops count their turns ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOOPS_EXITTESTS_H
#define CUFORT_COMPILER_GPU_LOOPS_EXITTESTS_H

#include "llvm/Passes/PassBuilder.h"

namespace cufort {

/// Makes the pipeline of \p builder end with loops whose end is tested by the
/// value that their counter has next, `++i != n + 1`: LLVM makes `i++ != n` of
/// it, and ptxas counts the turns of, and repeats, the first only. Not in one
/// of a single block that writes what it may load. What a loop has of its
/// counter's last turn is computed from the counter instead of carried. Needs
/// loops that branch back at their end where the condition holds; leaves loops
/// and branches as they are.
void countByNext(llvm::PassBuilder &builder);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOOPS_EXITTESTS_H
