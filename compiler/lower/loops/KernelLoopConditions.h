//===- KernelLoopConditions.h - what is known to hold -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conditions in the body of a kernel loop, compared as expressions: which of
// them follow from others, and what they say of the iterations of sequential
// loops.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_LOOPS_KERNELLOOPCONDITIONS_H
#define CUFORT_COMPILER_LOWER_LOOPS_KERNELLOOPCONDITIONS_H

#include "compiler/lower/loops/KernelLoops.h"

namespace cufort::lower {

/// A logical value that is true, or one that is false.
struct Condition {
  mlir::Value value;
  bool holds;
};

/// What holds, each for itself, where \p value is \p holds: the terms of an
/// .and. that is true, or of an .or. that is false. Nothing if the value
/// depends on more than memory.
llvm::SmallVector<Condition> termsOf(mlir::Value value, bool holds);

/// Whether \p conclusion holds wherever \p known does. Nothing that they read
/// has changed between the two.
bool implies(Condition known, Condition conclusion);

/// Whether \p known says that this is not the first iteration of \p loop.
bool isNotFirst(Condition known, fir::DoLoopOp loop);

/// Whether \p conclusion holds in all iterations of \p loop that others follow.
bool holdsBeforeLast(Condition conclusion, fir::DoLoopOp loop);

/// Whether both loops have the same limits.
bool haveSameLimits(fir::DoLoopOp a, fir::DoLoopOp b);

/// Whether \p reads is true of something that is loaded for \p value.
bool readsAny(mlir::Value value, llvm::function_ref<bool(fir::LoadOp)> reads);

/// Whether the two values are the same expression; nothing is assigned between
/// the two.
bool isSameExpression(mlir::Value a, mlir::Value b, unsigned depth = 0);

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_LOOPS_KERNELLOOPCONDITIONS_H
