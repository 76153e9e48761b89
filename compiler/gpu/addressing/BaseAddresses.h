//===- BaseAddresses.h - neighbours have one address ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ADDRESSING_BASEADDRESSES_H
#define CUFORT_COMPILER_GPU_ADDRESSING_BASEADDRESSES_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// After this pass accesses whose addresses differ by a constant, as those of a
/// stencil do, have one address and constant distances from it. The indices are
/// taken for the sums that they are, in whatever order the program adds them up
/// and wherever it extends them to 64 bits; LLVM's own passes split each by
/// itself and find few of them alike. Leaves: where the code generator finds
/// it, one access's address as it was.
llvm::PreservedAnalyses
shareBaseAddresses(llvm::Function &function,
                   llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ADDRESSING_BASEADDRESSES_H
