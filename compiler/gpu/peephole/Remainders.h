//===- Remainders.h - quotients with their remainders -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_PEEPHOLE_REMAINDERS_H
#define CUFORT_COMPILER_GPU_PEEPHOLE_REMAINDERS_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Says `x % y` of 64-bit integers again where LLVM says `x - x / y * y`, in
/// the quotient's own block. Code generation then computes both in 32 bits
/// where the numbers are small, instead of the quotient only.
llvm::PreservedAnalyses
restoreRemainders(llvm::Function &function,
                  llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_PEEPHOLE_REMAINDERS_H
