//===- StrengthReduction.h - addresses by induction -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOOPS_STRENGTHREDUCTION_H
#define CUFORT_COMPILER_GPU_LOOPS_STRENGTHREDUCTION_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Makes induction variables of addresses in a loop of one block that goes
/// through global memory by a stride known at run time only, as in `sum += a[i
/// * n + j]`: one phi and one addition for each load, where LLVM multiplies,
/// extends and adds in every iteration, for which ptxas loads the parameters
/// again. The loop's counter stays, and with it the trip count that ptxas has
/// to see. So it does of the address of a loop that does nothing in memory but
/// load several neighbours by a known stride, as the members of a structure: of
/// other known strides ptxas makes one address for many iterations by itself.
/// Needs loops with preheaders. To come after loops are unrolled.
llvm::PreservedAnalyses reduceStrength(llvm::Function &function,
                                       llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOOPS_STRENGTHREDUCTION_H
