//===- ShiftedLimits.h - comparisons with powers of two ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOOPS_SHIFTEDLIMITS_H
#define CUFORT_COMPILER_GPU_LOOPS_SHIFTEDLIMITS_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Restores comparisons in loops as programs have them, `i < 1 << bits`: LLVM
/// makes `i >> bits == 0` of it. The limit is computed before the loop, and the
/// comparison is one instruction. With the other one ptxas also computes other
/// multiples of `1 << bits` again in each iteration, which it would compute
/// before the loop; and LLVM does not see how many iterations there are. The
/// limit is a `freeze`, which InstCombine lets stand. To come before loops are
/// unrolled in part.
llvm::PreservedAnalyses
restoreShiftedLimits(llvm::Function &function,
                     llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOOPS_SHIFTEDLIMITS_H
