//===- RegisterBounds.h - registers for loads in flight ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOWERING_REGISTERBOUNDS_H
#define CUFORT_COMPILER_GPU_LOWERING_REGISTERBOUNDS_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Bounds the registers of a thread (`nvvm.maxnreg`): 64, as many as each
/// thread of the largest block can have, for kernels whose loops add up what
/// they load, and which hold far less than that at any time. Told nothing,
/// ptxas makes do with 32, so that as many threads as possible run at a time,
/// and waits for the first loads before it starts the next ones. Bytes that a
/// thread loads one after the other come from the cache, and sums of nothing
/// else have no bound. Kernels without loops that load more than 64 registers'
/// worth in one block may have 64 as well. Kernels with a loop that copies in
/// three blocks or more one after the other, each load from memory that is only
/// read, may have 40: ptxas then stores behind the next block's load, and does
/// not wait for each.
/// Needs: the final loops. Leaves kernels of which the program says how many
/// registers they may have, or how many blocks shall run at a time; how large a
/// block may be says neither.
llvm::PreservedAnalyses boundRegisters(llvm::Function &function,
                                       llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_REGISTERBOUNDS_H
