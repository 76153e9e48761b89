//===- FusedProducts.h - which product is fused with a sum ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_PEEPHOLE_FUSEDPRODUCTS_H
#define CUFORT_COMPILER_GPU_PEEPHOLE_FUSEDPRODUCTS_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Puts the product first that a sum of two products is to be fused with: the
/// one of the sum's own block. The other one has been computed before a loop,
/// and LLVM's code generator, which takes the first, would compute it in each
/// iteration again.
llvm::PreservedAnalyses
orderFusedProducts(llvm::Function &function,
                   llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_PEEPHOLE_FUSEDPRODUCTS_H
