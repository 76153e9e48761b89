//===- WholeBlocks.h - blocks whose threads all have work -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_PARTITION_WHOLEBLOCKS_H
#define CUFORT_COMPILER_CPU_PARTITION_WHOLEBLOCKS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-whole-blocks. Needs cpu-private. Where threads come to a loop that
/// BlockIterations would have them make iteration by iteration, if only all of
/// them came (if (i <= n) then ... do k = 1, levels), the body is copied. The
/// first copy is for blocks of which every thread comes, which is computed once
/// per block; there the conditions are constants. Leaves the body as it was for
/// the other blocks: those at the end of the grid.
llvm::Error separateWholeBlocks(llvm::Module &module,
                                const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_PARTITION_WHOLEBLOCKS_H
