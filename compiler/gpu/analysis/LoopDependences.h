//===- LoopDependences.h - loops that write what they load ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ANALYSIS_LOOPDEPENDENCES_H
#define CUFORT_COMPILER_GPU_ANALYSIS_LOOPDEPENDENCES_H

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace cufort {

/// Whether an iteration of \p loop writes what the next one may load, for all
/// that
/// \p aliases knows: it would have to wait, and several at a time would only be
/// longer. What it writes to arrays of the thread does not count. With
/// \p dominators neither does what only some iterations store: nothing waits
/// for that in the others.
bool storesWhatItLoads(const llvm::Loop &loop, llvm::AAResults &aliases,
                       const llvm::DominatorTree *dominators = nullptr);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ANALYSIS_LOOPDEPENDENCES_H
