//===- PredictiveCommoning.h - loads of the iteration before ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOOPS_PREDICTIVECOMMONING_H
#define CUFORT_COMPILER_GPU_LOOPS_PREDICTIVECOMMONING_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Keeps in a register what an innermost loop has loaded from global memory in
/// one iteration and would load again in the next, as in `x[i] = (x[i] - x[i -
/// 1] * a) / b` with an `i` that goes down. LLVM's elimination of loads takes
/// only addresses that it finds computed on the way back. Needs: inlined,
/// simplified code. Leaves: the loop as it was, but for such loads, of which
/// the first is before the loop.
llvm::PreservedAnalyses carryLoads(llvm::Function &function,
                                   llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOOPS_PREDICTIVECOMMONING_H
