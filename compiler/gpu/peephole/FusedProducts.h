//===- FusedProducts.h - which product is fused with a sum ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_PEEPHOLE_FUSEDPRODUCTS_H
#define CUFORT_COMPILER_GPU_PEEPHOLE_FUSEDPRODUCTS_H

#include "llvm/Passes/PassBuilder.h"

namespace cufort {

/// Makes the pipeline of \p builder end with putting the product first that a
/// sum of two products is to be fused with: the one of the sum's own block. The
/// other one has been computed before a loop, and LLVM's code generator, which
/// takes the first, would compute it in each turn again.
void fuseOwnProducts(llvm::PassBuilder &builder);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_PEEPHOLE_FUSEDPRODUCTS_H
