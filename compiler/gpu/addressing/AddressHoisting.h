//===- AddressHoisting.h - an address is computed once ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ADDRESSING_ADDRESSHOISTING_H
#define CUFORT_COMPILER_GPU_ADDRESSING_ADDRESSHOISTING_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// After this pass an address, and what it is computed from, that is needed
/// before a loop that may have no iterations, or in a condition's branch, and
/// again behind that in any case, is computed before both; and so is an address
/// of such a loop that is needed behind it under a condition. LLVM leaves
/// addresses out when it looks for what is computed on some paths only, for the
/// sake of processors whose accesses do the computation. A GPU's do not: behind
/// the loop the first access would wait for a pointer from constant memory and
/// a multiplication.
llvm::PreservedAnalyses hoistAddresses(llvm::Function &function,
                                       llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ADDRESSING_ADDRESSHOISTING_H
