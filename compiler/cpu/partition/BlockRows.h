//===- BlockRows.h - blocks side by side as one wide block ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_PARTITION_BLOCKROWS_H
#define CUFORT_COMPILER_CPU_PARTITION_BLOCKROWS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// Of a block entry: its region argument says how many of the blocks that
/// follow in x are run as well, as if they were one block as wide as all of
/// them (image::Kernel::blockRows).
inline constexpr char BlockRowsAttribute[] = "cufort-block-rows";

/// cpu-block-rows. Needs cpu-private; runs before cpu-fission, which makes the
/// loop over x as long as the blocks side by side. Finds entries without
/// barriers, loops, shared memory and anything by which threads could notice
/// each other, in which the thread's and the block's index in x occur only in
/// their sum blockIdx.x * blockDim.x + threadIdx.x, and that go through memory
/// element by element in x. A block of 32 x 8 threads alone reads memory in
/// pieces of 32 elements, and the next row lies elsewhere. Leaves
/// BlockRowsAttribute on them, and additions where the optimiser had written
/// disjunctions because a thread's index is small.
llvm::Error joinBlockRows(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_PARTITION_BLOCKROWS_H
