//===- LoopPrefetch.h - what a loop will read later -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_OPTIMISE_LOOPPREFETCH_H
#define CUFORT_COMPILER_CPU_OPTIMISE_LOOPPREFETCH_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace cufort::cpu {

/// Needs a simplified thread body. Leaves loads in its loops that go through
/// memory in large steps, which the processor does not foresee, with a prefetch
/// of what they will read some iterations later.
void prefetchAhead(llvm::Function &body);

/// Whether \p load is executed in each iteration of \p loop, which it lies in.
/// An address that a condition keeps from being read may not be mapped:
/// asking for that is slow.
bool isDoneInEachIteration(const llvm::LoadInst &load, const llvm::Loop &loop,
                           const llvm::DominatorTree &dominators);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_OPTIMISE_LOOPPREFETCH_H
