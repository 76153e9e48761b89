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

/// Lowers the ordering and the scope of atomic updates: LLVM's code generator
/// makes all of them relaxed, and for the threads of one device. An ordering
/// becomes fences before and after; an update that the host or another device
/// may see at the same time becomes an instruction of the system's scope, in
/// inline PTX. RelaxedScope (compiler/common/AtomicScope.h) becomes relaxed, of
/// the device's scope. Needs nothing; leaves other loads, stores, and
/// compare-and-exchange to the code generator, which has their orderings.
llvm::PreservedAnalyses
lowerAtomicOrderings(llvm::Function &function,
                     llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_ATOMICORDERINGS_H
