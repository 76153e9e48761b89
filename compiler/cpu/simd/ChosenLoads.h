//===- ChosenLoads.h - loads from one of two places -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_SIMD_CHOSENLOADS_H
#define CUFORT_COMPILER_CPU_SIMD_CHOSENLOADS_H

#include "compiler/cpu/analysis/BlockUniformity.h"
#include "llvm/Analysis/LoopInfo.h"

namespace cufort::cpu {

/// Whether \p loop over threads, in which there is none, reads from an address
/// that is chosen thread by thread.
bool mayHaveChosenLoads(llvm::Loop &loop);

/// In \p body, one thread's (ThreadBody): a load whose address follows from a
/// choice, a(merge(i + 1, n, i < n)), becomes two loads under a condition and
/// its opposite, if each of them is one of neighbours' elements or of one
/// element for all. With \p limits so do those from min(i, n) and max(i, 1).
/// Vectors then gather nothing. Returns whether there was any.
bool separateChosenLoads(llvm::Function &body, BlockUniformity::Threads threads,
                         bool limits);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_SIMD_CHOSENLOADS_H
