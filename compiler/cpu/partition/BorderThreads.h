//===- BorderThreads.h - threads with more to do than others ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_PARTITION_BORDERTHREADS_H
#define CUFORT_COMPILER_CPU_PARTITION_BORDERTHREADS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-border-threads. Needs cpu-shared; runs after cpu-needless-barriers.
/// Where all threads read and write memory and then, before a barrier, those
/// whose index in x meets a condition do more (the halo of a tile: if
/// (threadIdx.x < radius) ...), leaves a barrier in between. Then both are
/// loops over threads of their own: one without a condition, and one within the
/// condition's bounds.
llvm::Error separateBorderThreads(llvm::Module &module,
                                  const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_PARTITION_BORDERTHREADS_H
