//===- WideReductions.h - sums of 8 and 16 bits -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOOPS_WIDEREDUCTIONS_H
#define CUFORT_COMPILER_GPU_LOOPS_WIDEREDUCTIONS_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// After this pass what a loop adds up in 8 or 16 bits is added up in 32, and
/// cut off behind the loop:
///
///     short sum = 0;   for (...) sum += a[i] * b[i];
///
/// LLVM narrows what C widens. The GPU has registers and operations of 32
/// bits only; ptxas moves the halves together before each operation and behind
/// it. Needs: nothing behind it that narrows again.
llvm::PreservedAnalyses widenReductions(llvm::Function &function,
                                        llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOOPS_WIDEREDUCTIONS_H
