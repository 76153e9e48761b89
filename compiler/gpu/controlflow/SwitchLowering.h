//===- SwitchLowering.h - short cases under predicates ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_CONTROLFLOW_SWITCHLOWERING_H
#define CUFORT_COMPILER_GPU_CONTROLFLOW_SWITCHLOWERING_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Lowers a switch over a few short blocks with one common successor to
/// conditions one after the other, and one that only chooses values to selects.
/// Where no switch of the function has more than 32 values, the code generator
/// searches instead of jumping through a table (`no-jump-tables`).
///
///     if (x == 0) a[0] = p[0];       LLVM makes a switch of the two, for which
///     if (x == 15) a[17] = p[17];    ptxas branches; each branch waits for its
///                                    load
///
/// Under a condition of its own ptxas executes such a block under a predicate,
/// and asks for all their loads before it waits for one. A jump through a table
/// makes the lanes of a warp diverge, and takes the blocks one after the other.
/// Needs: SimplifyCFG done, which forms switches. Leaves larger switches.
llvm::PreservedAnalyses lowerSwitches(llvm::Function &function,
                                      llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_CONTROLFLOW_SWITCHLOWERING_H
