//===- StrideLoops.h - loops that all threads go through ---------*- C++
//-*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_STRIDELOOPS_H
#define CUFORT_COMPILER_CPU_STRIDELOOPS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// Of the branch with which a loop made by cpu-stride-loops ends.
inline constexpr char StrideMetadata[] = "cufort.stride";

/// Pass cpu-stride-loops. Needs cpu-private. A loop in which threads go through
/// memory together in steps (i = global index; while (i <= n) i = i + number of
/// threads) is made two: one with as many turns as every thread of the block
/// makes, and the loop as it was for the turns that are left. Leaves the first
/// with StrideMetadata, so that cpu-fission may put it around the loop over
/// threads as if there were a barrier in it.
llvm::Error splitStrideLoops(llvm::Module &module, const CpuOptions &options);

/// The headers of the loops that splitStrideLoops made in \p entry.
llvm::SmallVector<llvm::BasicBlock *> strideLoops(llvm::Function &entry);

/// The loop made by splitStrideLoops whose turns consist of little but \p
/// threads, a loop over threads; null if there is none.
llvm::Loop *strideLoopAround(llvm::Loop &threads);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_STRIDELOOPS_H
