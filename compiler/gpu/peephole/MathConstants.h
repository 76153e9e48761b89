//===- MathConstants.h - approximations with exact values -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_PEEPHOLE_MATHCONSTANTS_H
#define CUFORT_COMPILER_GPU_PEEPHOLE_MATHCONSTANTS_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Folds, wherever LLVM combines instructions, the approximate logarithms of
/// powers of two and powers of two with integral exponents, for which the GPU's
/// instructions are exact. Other constants are left to the GPU, whose bits are
/// its own.
///
///     for (int i = 1; i <= __log2f(16); i++)    has four iterations, and can
///     be
///                                               unrolled
llvm::PreservedAnalyses foldExactMath(llvm::Function &function,
                                      llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_PEEPHOLE_MATHCONSTANTS_H
