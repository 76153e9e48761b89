//===- OptimisationLevel.h - the number after -O ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_COMMON_OPTIMISATIONLEVEL_H
#define CUFORT_COMPILER_COMMON_OPTIMISATIONLEVEL_H

#include "llvm/Passes/OptimizationLevel.h"

namespace cufort {

/// LLVM's word for -O\p level; O3 for numbers above.
llvm::OptimizationLevel optimisationLevel(unsigned level);

} // namespace cufort

#endif // CUFORT_COMPILER_COMMON_OPTIMISATIONLEVEL_H
