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

/// Two blocks that do nothing but store to one place, and then go on together,
/// become one store after both, of the value that is chosen there.
///
///     if (abs(a - b) > t || abs(a - c) > t)
///       out[i] = 255;
///     else
///       out[i] = 0;
///
/// LLVM does so where one branch leads to both; to one of these lead two. Of
/// branches that do more it makes one as well, which is off here (see
/// CompileForGpu.cpp): only where both also load what they store, and that from
/// one kind of memory, is the load one as well, so that the threads of a warp
/// make it together, and where one does nothing but copy what it loads is the
/// store one:
///
///     if (x < edge) out[i] = left;
///     else if (x >= edge + width) out[i] = right;
///     else out[i] = in[j];
///
/// Leaves blocks that do nothing: LLVM's simplification of the flow of control
/// (SimplifyCFG) has to come after it.
llvm::PreservedAnalyses sinkStores(llvm::Function &function,
                                   llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_CONTROLFLOW_STORESINKING_H
