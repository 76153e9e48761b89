//===- AddressSpaces.h - which memory an access is of -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOWERING_ADDRESSSPACES_H
#define CUFORT_COMPILER_GPU_LOWERING_ADDRESSSPACES_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Infers the address spaces of accesses (inferMemory), also through pointers
/// that lay in global memory when the kernel began; then merges accesses of
/// neighbours into vector accesses (vectoriseAccesses).
///
///     tile[t] = a[i];     a is global memory, tile is shared, so b's element
///     x = b[i];           may be loaded first
///
/// LLVM does both when it generates code: too late for its optimiser, which
/// then has to assume that any store may change what any load reads, and too
/// late to see from the address in a tile that a pair of elements is aligned.
/// Stores that only such a load might have read are eliminated. Needs:
/// procedures inlined. Leaves generic what may be of several address spaces.
llvm::PreservedAnalyses inferMemory(llvm::Function &function,
                                    llvm::FunctionAnalysisManager &manager);
llvm::PreservedAnalyses
vectoriseAccesses(llvm::Function &function,
                  llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_ADDRESSSPACES_H
