//===- LoadOrder.h - loads that all threads share come first ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOADORDER_H
#define CUFORT_COMPILER_GPU_LOADORDER_H

#include "llvm/Passes/PassBuilder.h"

namespace cufort {

/// Makes the pipeline of \p builder end with a pass after which, of two loads
/// from global memory one behind the other, that of an address which all
/// threads of a warp have in common comes before that of an address of each:
///
///     sum += matrix[row * n + j] * vector[j];
///
/// The threads' own addresses may be up to 32 lines, through which the other
/// load would have to wait. Needs: the accesses' memory (AddressSpaces.h), no
/// more unrolling.
void loadSharedFirst(llvm::PassBuilder &builder);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOADORDER_H
