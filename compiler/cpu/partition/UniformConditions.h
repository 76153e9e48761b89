//===- UniformConditions.h - what a row agrees on, tested first -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_PARTITION_UNIFORMCONDITIONS_H
#define CUFORT_COMPILER_CPU_PARTITION_UNIFORMCONDITIONS_H

#include "llvm/IR/Function.h"

namespace cufort::cpu {

/// Needs a thread body after BodyPasses::structure of which a strip is to be
/// made. Where an edge is taken under several conditions and the threads of a
/// row agree on some of them (if (x > 0 && x < n && y > 0 && y < m)), these are
/// tested by a branch of their own before the others, and the threads that came
/// to the others meet again in a block of their own: control flow stays nested.
/// What is left of the condition is, in a loop over rows, often the same for
/// all rows, with everything that is made of the mask.
void separateUniformConditions(llvm::Function &body);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_PARTITION_UNIFORMCONDITIONS_H
