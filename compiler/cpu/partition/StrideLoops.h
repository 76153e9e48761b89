//===- StrideLoops.h - loops that all threads go through --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_PARTITION_STRIDELOOPS_H
#define CUFORT_COMPILER_CPU_PARTITION_STRIDELOOPS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// Of the branch with which a loop ends that cpu-stride-loops has made or
/// chosen.
inline constexpr char StrideMetadata[] = "cufort.stride";

/// cpu-stride-loops. Needs cpu-private. A loop in which threads go through
/// memory together in steps (i = global index; while (i <= n) i = i + number of
/// threads) is made two: one with as many iterations as every thread of the
/// block makes, and the loop as it was for the iterations that are left. Leaves
/// the first with StrideMetadata, and so loops that bring a row from memory in
/// each iteration and whose iterations are the same for all threads:
/// cpu-fission may put them around the loop over threads as if there were a
/// barrier in them.
llvm::Error splitStrideLoops(llvm::Module &module, const CpuOptions &options);

/// The blocks of \p entry that end in such a branch.
llvm::SmallVector<llvm::BasicBlock *> strideLoops(llvm::Function &entry);

/// The loop with such a branch whose iterations consist of little but \p
/// threads, a loop over threads; null if there is none.
llvm::Loop *strideLoopAround(llvm::Loop &threads);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_PARTITION_STRIDELOOPS_H
