//===- AtomicOrderings.h - orders and scopes of atomics ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOWERING_ATOMICORDERINGS_H
#define CUFORT_COMPILER_GPU_LOWERING_ATOMICORDERINGS_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Gives atomic updates their order and their scope: LLVM's code generator
/// makes all of them relaxed, and for the threads of one device. An order
/// becomes fences before and after, and what the host or another device may see
/// at the same time an instruction of the system's scope. Loads, stores, and
/// what compares and exchanges, keep theirs as they are.
llvm::PreservedAnalyses
lowerAtomicOrderings(llvm::Function &function,
                     llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_ATOMICORDERINGS_H
