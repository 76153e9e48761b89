//===- IfConversion.h - what follows one condition or another ---*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_CONTROLFLOW_IFCONVERSION_H
#define CUFORT_COMPILER_GPU_CONTROLFLOW_IFCONVERSION_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// What follows one of several conditions, and is as simple as `n--`, is
/// computed always and selected.
///
///     if (i < 0 || a[i] > 0) n--;    LLVM goes to `n--` from two places, and
///                                    past it from the second one
///
/// ptxas executes a few loads and stores under a predicate if there is only one
/// way out of them. It can then ask for the loads of many such lines before it
/// waits for the first one, which otherwise come one after the other. Leaves
/// the flow of control with fewer edges, not fewer blocks.
llvm::PreservedAnalyses convertIfs(llvm::Function &function,
                                   llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_CONTROLFLOW_IFCONVERSION_H
