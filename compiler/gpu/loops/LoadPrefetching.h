//===- LoadPrefetching.h - loads one iteration ahead ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOOPS_LOADPREFETCHING_H
#define CUFORT_COMPILER_GPU_LOOPS_LOADPREFETCHING_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Prefetches into registers: loops whose iterations begin with loads from
/// global memory, and then wait for all threads of the block twice or more,
/// begin the loads of the next iteration before they wait:
///
///     for (; k < n; k += 16) {
///       tile[y][x] = a[k + x];
///       __syncthreads();
///       ... // the next iteration's a[k + x] is in flight
///       __syncthreads();
///     }
///
/// Needs memory that is only read for as long as the kernel runs (arguments
/// that are `const` and `__restrict__`, Fortran's INTENT(IN)), addresses and
/// conditions that follow from the loop's induction variables, and inlined
/// functions. Leaves a phi for each such load; nothing is loaded that the loop
/// would not have loaded.
llvm::PreservedAnalyses prefetchLoads(llvm::Function &function,
                                      llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOOPS_LOADPREFETCHING_H
