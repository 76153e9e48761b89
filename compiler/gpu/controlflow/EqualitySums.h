//===- EqualitySums.h - sums that a condition makes equal -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_CONTROLFLOW_EQUALITYSUMS_H
#define CUFORT_COMPILER_GPU_CONTROLFLOW_EQUALITYSUMS_H

#include "llvm/Passes/PassBuilder.h"

namespace cufort {

/// Makes the pipeline of \p builder begin with using sums again that a
/// condition makes equal to what is needed:
///
///     ... s[t + n] ...
///     if (t == n - 1)
///       last = s[2 * n - 1];
///
/// is the element that has been found before, and LLVM then loads it once. It
/// knows that `n - 1` is `t` there, but not that `2 * n - 1` is `t + n`. Needs
/// variables in registers; leaves the flow of control, and computes nothing
/// that was not computed before.
void useKnownSums(llvm::PassBuilder &builder);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_CONTROLFLOW_EQUALITYSUMS_H
