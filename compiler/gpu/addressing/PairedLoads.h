//===- PairedLoads.h - fields that lie beside each other --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ADDRESSING_PAIREDLOADS_H
#define CUFORT_COMPILER_GPU_ADDRESSING_PAIREDLOADS_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Hoists a load under a condition to the unconditional load of the other half
/// of the same aligned pair:
///
///     float2 v = vertex[j];            LLVM loads v.y before the condition,
///     if (v.y > y) s += v.x;           and v.x behind it
///
/// The code generator makes one access of the pair, and the condition, which
/// waits for one half, has the other. Global memory only, where an aligned pair
/// is never half there. Not where the condition may be what makes it aligned
/// (`if (i % 2 == 0)`). Needs: the accesses' address spaces (AddressSpaces.h).
/// Leaves the flow of control.
llvm::PreservedAnalyses
hoistPairedLoads(llvm::Function &function,
                 llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ADDRESSING_PAIREDLOADS_H
