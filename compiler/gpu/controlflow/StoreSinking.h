//===- StoreSinking.h - what two branches store -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_CONTROLFLOW_STORESINKING_H
#define CUFORT_COMPILER_GPU_CONTROLFLOW_STORESINKING_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Sinks the stores of blocks that do nothing but store to one address, and
/// then go on together, into one store of a phi behind them.
///
///     if (abs(a - b) > t || abs(a - c) > t)
///       out[i] = 255;
///     else
///       out[i] = 0;
///
/// LLVM does so where one branch leads to both blocks; to one of these lead
/// two. Stores of branches that do more it sinks as well, which is off here
/// (see CompileForGpu.cpp). They are sunk only where both also load what they
/// store, and that from one address space: the load is then one as well, so
/// that the threads of a warp make it together.
///
/// Needs: the accesses' address spaces (AddressSpaces.h). Leaves empty blocks:
/// SimplifyCFG has to come after it.
llvm::PreservedAnalyses sinkStores(llvm::Function &function,
                                   llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_CONTROLFLOW_STORESINKING_H
