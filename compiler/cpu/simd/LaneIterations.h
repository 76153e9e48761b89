//===- LaneIterations.h - iterations whose masks are known ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_SIMD_LANEITERATIONS_H
#define CUFORT_COMPILER_CPU_SIMD_LANEITERATIONS_H

#include "llvm/Passes/PassBuilder.h"

namespace cufort::cpu {

/// Makes the pipeline of \p builder unroll loops that lanes make together, if
/// they are short and what decides about their end is known: a tile with a halo
/// that is loaded in steps of the block's width has two iterations, one with
/// all lanes and one with a few. The masks of the copies are constants; LLVM's
/// own passes look at trip counts that are scalars only.
void unrollLaneIterations(llvm::PassBuilder &builder);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_SIMD_LANEITERATIONS_H
