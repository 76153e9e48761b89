//===- NarrowIndices.h - indices that stay 32 bits wide ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ADDRESSING_NARROWINDICES_H
#define CUFORT_COMPILER_GPU_ADDRESSING_NARROWINDICES_H

#include "llvm/Passes/PassBuilder.h"

namespace cufort {

/// Makes the pipeline of \p builder end with a pass after which the index of
/// `a[(max(i, 1) - 1) + j * n]` is added up in 32 bits. LLVM's code generator
/// makes the number part of the access; what is left may overflow in 32 bits,
/// and is added up and multiplied in 64: six instructions, where one would
/// have done that is part of a sum of three. A number that is the last to be
/// added stays part of the access. To come after shareAddresses
/// (BaseAddresses.h), which needs to know that sums do not overflow; this
/// forgets it.
void keepIndicesNarrow(llvm::PassBuilder &builder);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ADDRESSING_NARROWINDICES_H
