//===- KernelLoopPatterns.h - the forms of reductions -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_LOOPS_KERNELLOOPPATTERNS_H
#define CUFORT_COMPILER_LOWER_LOOPS_KERNELLOOPPATTERNS_H

#include "compiler/lower/loops/KernelLoops.h"

namespace cufort::lower {

/// A variable that a kernel loop uses, and where.
struct Candidate {
  hlfir::DeclareOp declare;
  llvm::SmallVector<mlir::Operation *> reads, writes;
  bool isPassed = false; ///< by reference
};

/// The one reduction that all uses of the variable are: s = s op x with the
/// variable anywhere among the operands of op, or IF (x > s) s = x.
std::optional<Reduction> matchReduction(const Candidate &candidate);

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_LOOPS_KERNELLOOPPATTERNS_H
