//===- IterationConditions.h - what an iteration decides --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ANALYSIS_ITERATIONCONDITIONS_H
#define CUFORT_COMPILER_GPU_ANALYSIS_ITERATIONCONDITIONS_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace cufort {

/// Whether a comparison in \p loop, other than that at its end, depends on the
/// number of the iteration and on nothing else: what it decides is known where
/// all iterations are written out. So are the ends of loops within whose trip
/// count is that of the iteration.
bool isDecidedByIteration(const llvm::Loop &loop,
                          llvm::ScalarEvolution &evolution);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ANALYSIS_ITERATIONCONDITIONS_H
