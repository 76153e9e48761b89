//===- MatrixAddressSpaces.h - where matrices lie ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOWERING_MATRIXADDRESSSPACES_H
#define CUFORT_COMPILER_GPU_LOWERING_MATRIXADDRESSSPACES_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Infers the address space, shared or global, of the loads and stores of
/// matrices for tensor cores (`llvm.nvvm.wmma`); LLVM does so for plain loads
/// and stores only. Needs: inferMemory (AddressSpaces.h). Leaves generic what
/// may be either.
llvm::PreservedAnalyses
inferMatrixAddressSpaces(llvm::Function &function,
                         llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_MATRIXADDRESSSPACES_H
