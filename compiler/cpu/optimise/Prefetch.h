//===- Prefetch.h - the next block's data -----------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_OPTIMISE_PREFETCH_H
#define CUFORT_COMPILER_CPU_OPTIMISE_PREFETCH_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-prefetch. Needs cpu-fission. Leaves kernels whose blocks read a piece of
/// memory once and then work on it between barriers asking for the next block's
/// piece before each reads its own. A worker runs neighbouring blocks one after
/// the other; the processor's own prefetching starts anew with each piece, and
/// while a block works on its tile nothing is read. Blocks that go through
/// memory in large steps together (cpu-stride-loops) ask in each iteration for
/// what they will read some iterations later.
llvm::Error prefetchPieces(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_OPTIMISE_PREFETCH_H
