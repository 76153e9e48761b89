//===- LoopRows.h - kernel loops go row by row ------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_PARTITION_LOOPROWS_H
#define CUFORT_COMPILER_CPU_PARTITION_LOOPROWS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// Of the branch with which a loop over an axis ends that cpu-loop-rows has
/// found.
inline constexpr char LoopRowMetadata[] = "cufort.loop-row";

/// cpu-loop-rows. Needs cpu-private. Leaves the entries of kernels with
/// image::LoopAxesAttribute with one thread in y and z, as they are launched,
/// and marks the loops over their axes: all threads make each iteration
/// together, so that a block goes through memory row by row, as a loop would.
/// Only where threads keep no private variables from iteration to iteration.
llvm::Error goRowByRow(llvm::Module &module, const CpuOptions &options);

/// The blocks of \p entry that end in such a branch.
llvm::SmallVector<llvm::BasicBlock *> loopRows(llvm::Function &entry);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_PARTITION_LOOPROWS_H
