//===- ConditionPhis.h - conditions that are numbers ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_CONTROLFLOW_CONDITIONPHIS_H
#define CUFORT_COMPILER_GPU_CONTROLFLOW_CONDITIONPHIS_H

#include "llvm/Passes/PassBuilder.h"

namespace cufort {

/// Makes the pipeline of \p builder end with this: a condition that several
/// ways lead to, and that is only counted with, is a number on each of them.
///
///     odd ^= between(p.y, a.y, b.y) && p.x < s;    LLVM makes a number of it
///                                                  where it is added
///
/// The code generator moves that far down, and in a loop that has been repeated
/// there are then more conditions than a thread has registers for.
void numberConditions(llvm::PassBuilder &builder);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_CONTROLFLOW_CONDITIONPHIS_H
