//===- CheckedBlocks.h - checked blocks as loops ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_FISSION_CHECKEDBLOCKS_H
#define CUFORT_COMPILER_CPU_FISSION_CHECKEDBLOCKS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-checked-blocks. Needs cpu-wait-loops. Leaves, besides each block entry
/// with check::LoopsAttribute that permits it, an entry "checked" that runs its
/// threads in loops between barriers, in the order in which fibers run them,
/// and tells the checkers which of them comes to them; no copy with
/// check::UncheckedAttribute is left. No later pass but cpu-simplify looks at
/// such entries.
llvm::Error checkInLoops(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_FISSION_CHECKEDBLOCKS_H
