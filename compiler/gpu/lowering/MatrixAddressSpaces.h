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

/// Loads and stores of matrices for tensor cores say whether they lie in shared
/// or in global memory, where it is known. LLVM finds that out for plain loads
/// and stores only.
llvm::PreservedAnalyses
inferMatrixAddressSpaces(llvm::Function &function,
                         llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_MATRIXADDRESSSPACES_H
