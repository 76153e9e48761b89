//===- ConstantAddresses.h - counters of constant memory --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ADDRESSING_CONSTANTADDRESSES_H
#define CUFORT_COMPILER_GPU_ADDRESSING_CONSTANTADDRESSES_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// After this pass addresses in constant memory that all threads share go on
/// from iteration to iteration by themselves, where the counter is also part of
/// what each thread has of its own:
///
///     sum += tile[threadIdx.x + j] * mask[j];
///
/// ptxas keeps the counter in the threads' registers for the tile's sake, and
/// loads from constant memory by a thread's register. An address by itself may
/// lie in a register that all threads share. What both branches of a condition
/// load from there is loaded once, before it. Needs: no more unrolling, and the
/// neighbours' addresses still apart (BaseAddresses.h).
llvm::PreservedAnalyses
carryConstantAddresses(llvm::Function &function,
                       llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ADDRESSING_CONSTANTADDRESSES_H
