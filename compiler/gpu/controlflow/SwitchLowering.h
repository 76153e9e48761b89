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

/// A switch over a few short blocks that all go on at one place becomes
/// conditions one after the other.
///
///     if (x == 0) a[0] = p[0];       LLVM makes a switch of the two; ptxas
///     if (x == 15) a[17] = p[17];    branches for it, and each branch waits
///     for
///                                    its load
///
/// Each for itself, ptxas executes such blocks under predicates and asks for
/// all their loads before it waits for one. A switch that only chooses values
/// becomes selections, and one over up to 32 values is searched through: the
/// lanes of a warp diverge, and a jump through a table takes the blocks one
/// after the other.
llvm::PreservedAnalyses lowerSwitches(llvm::Function &function,
                                      llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_CONTROLFLOW_SWITCHLOWERING_H
