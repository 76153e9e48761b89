//===- TileAddresses.h - accesses to a tile have one address ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ADDRESSING_TILEADDRESSES_H
#define CUFORT_COMPILER_GPU_ADDRESSING_TILEADDRESSES_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// After this pass accesses to shared memory whose addresses differ by a
/// constant have one address and constant distances from it even where each is
/// under a condition of its own, as in an unrolled `for (m = 0; m < 16; ++m) if
/// (t <= m) tile[m - t][t]`. The address, which may lie outside the tile, is
/// computed before all of them. Leaves accesses that say how they are aligned
/// now that more is known about it.
llvm::PreservedAnalyses
shareTileAddresses(llvm::Function &function,
                   llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ADDRESSING_TILEADDRESSES_H
