//===- FiberWaits.h - how a thread on a fiber waits for others --*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_BLOCK_FIBERWAITS_H
#define CUFORT_COMPILER_CPU_BLOCK_FIBERWAITS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Value.h"

namespace cufort::cpu {

/// Needs the marks of cpu-intrinsics in \p function, code of one thread. Leaves
/// calls of the runtime, which suspend the fiber: a barrier is one of
/// image::BlockBarrierFunction or that of several blocks, a warp operation
/// one of image::WarpOperationFunction, which also stands before each volatile
/// access and before atomic ones in loops that may wait for another lane. Votes
/// are counted in two i32 of the block's shared memory, whose address \p
/// voteCounters says if there are any. The places of \p function are numbered
/// from \p firstPlace on; returns the number after the last one.
uint32_t waitOnFiber(llvm::Function &function,
                     llvm::function_ref<llvm::Value *()> voteCounters,
                     uint32_t firstPlace);

/// Numbers of places: those of procedures that stay functions, then those of
/// kernels that call them. Where lanes have parted, those in the procedure go
/// first and meet the others again in the kernel.
inline constexpr uint32_t FirstKernelPlace = 0x8000;

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_BLOCK_FIBERWAITS_H
