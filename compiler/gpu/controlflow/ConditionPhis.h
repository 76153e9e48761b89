//===- ConditionPhis.h - conditions that are numbers ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_CONTROLFLOW_CONDITIONPHIS_H
#define CUFORT_COMPILER_GPU_CONTROLFLOW_CONDITIONPHIS_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// A condition that several edges lead to, and that is only counted with, is a
/// number on each of them.
///
///     odd ^= between(p.y, a.y, b.y) && p.x < s;    LLVM makes a number of it
///                                                  where it is added
///
/// The code generator moves that far down, and in a loop that has been repeated
/// there are then more conditions than a thread has registers for.
llvm::PreservedAnalyses
extendConditionPhis(llvm::Function &function,
                    llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_CONTROLFLOW_CONDITIONPHIS_H
