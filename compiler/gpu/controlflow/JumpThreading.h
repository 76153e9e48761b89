//===- JumpThreading.h - branches that are decided before -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_CONTROLFLOW_JUMPTHREADING_H
#define CUFORT_COMPILER_GPU_CONTROLFLOW_JUMPTHREADING_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Makes `break` in a loop whose body has variables go straight to the loop's
/// end. Clang leads it to the end of the variables' lives first, and branches
/// there by a number; where LLVM has jump threading, that comes apart, but not
/// for GPUs. Only what does not repeat any instruction is done here.
llvm::PreservedAnalyses threadJumps(llvm::Function &function,
                                    llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_CONTROLFLOW_JUMPTHREADING_H
