//===- MathConstants.h - approximations with exact values -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_PEEPHOLE_MATHCONSTANTS_H
#define CUFORT_COMPILER_GPU_PEEPHOLE_MATHCONSTANTS_H

#include "llvm/Passes/PassBuilder.h"

namespace cufort {

/// Makes the pipeline of \p builder compute, wherever it simplifies
/// instructions, the approximate logarithms of powers of two and powers of two
/// with integral exponents, for which the GPU's instructions are exact. Other
/// constants are left to the GPU, whose bits are its own.
///
///     for (int i = 1; i <= __log2f(16); i++)    has four turns, and can be
///                                               unrolled
void computeExactConstants(llvm::PassBuilder &builder);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_PEEPHOLE_MATHCONSTANTS_H
