//===- NarrowIndices.h - indices that stay 32 bits wide ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ADDRESSING_NARROWINDICES_H
#define CUFORT_COMPILER_GPU_ADDRESSING_NARROWINDICES_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// After this pass the index of `a[(max(i, 1) - 1) + j * n]` is added up in 32
/// bits. LLVM's code generator makes the number part of the access; what is
/// left may overflow in 32 bits, and is added up and multiplied in 64: six
/// instructions, where one would have done that is part of a sum of three. A
/// number that is the last to be added stays part of the access. To come after
/// shareBaseAddresses (BaseAddresses.h), which needs to know that sums do not
/// overflow; this forgets it.
llvm::PreservedAnalyses narrowIndices(llvm::Function &function,
                                      llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ADDRESSING_NARROWINDICES_H
