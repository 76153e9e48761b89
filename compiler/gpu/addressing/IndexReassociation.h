//===- IndexReassociation.h - long indices that are added up ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ADDRESSING_INDEXREASSOCIATION_H
#define CUFORT_COMPILER_GPU_ADDRESSING_INDEXREASSOCIATION_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Adds up the parts of an index of 64 bits, as in `a[j * n + i]` with a
/// `size_t n`, before they are added to the address. LLVM adds one part after
/// the other to the address, of which each is shifted on its own; a product and
/// a sum are one instruction. Parts that are extended from 32 bits stay, since
/// these are multiplied, extended and added to an address in one. Needs:
/// addresses that several accesses share (BaseAddresses.h).
llvm::PreservedAnalyses
reassociateIndices(llvm::Function &function,
                   llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ADDRESSING_INDEXREASSOCIATION_H
