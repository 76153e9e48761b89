//===- ConstantTables.h - private arrays that are tables --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOWERING_CONSTANTTABLES_H
#define CUFORT_COMPILER_GPU_LOWERING_CONSTANTTABLES_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Makes one table for all threads of what each would store into an array of
/// its own: constants, in one block, all of them before it loads from there.
/// Needs loops over such an array unrolled as a whole, and the array's address
/// to stay in its function; leaves alone what ptxas may take into registers.
/// The table is a constant in global memory, whose loads come through the
/// cache; stores would take one for each thread.
llvm::PreservedAnalyses formConstantTables(llvm::Module &module,
                                           llvm::ModuleAnalysisManager &manager,
                                           const GpuOptions &options);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_CONSTANTTABLES_H
