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
/// through memory by a stride known at run time only, as in `sum += a[i * n +
/// j]`: one phi and one addition for each load, where LLVM multiplies, extends
/// and adds in every iteration, for which ptxas loads the parameters again. The
/// loop's counter stays, and with it the trip count that ptxas has to see. So
/// it does of the address of a loop that does nothing in memory but load
/// several neighbours in each iteration: of known strides ptxas makes one
/// address for many iterations, unless they are those of an index of 32 bits,
/// which might overflow. Of those the index is an induction variable where a
/// loop only loads by it, and it takes two instructions or more. A loop that
/// only loads, by one address of a known stride and by one such index, each
/// several times, has both. To come after loops are unrolled.
llvm::PreservedAnalyses reduceStrength(llvm::Function &function,
                                       llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOOPS_STRENGTHREDUCTION_H
