//===- LoadOrder.h - in which order a block loads ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ADDRESSING_LOADORDER_H
#define CUFORT_COMPILER_GPU_ADDRESSING_LOADORDER_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Orders the loads of a block. What waits for no division is loaded before it:
/// an exact division of floating-point numbers, or one of 64-bit integers, has
/// branches or is a call, across which ptxas moves nothing. What most likely
/// comes into the cache with something loaded before the division stays behind
/// it, unless another load waits for it. Needs: the accesses' memory
/// (AddressSpaces.h), no more unrolling.
llvm::PreservedAnalyses
hoistLoadsBeforeDivisions(llvm::Function &function,
                          llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ADDRESSING_LOADORDER_H
