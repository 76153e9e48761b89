//===- JoinedLoads.h - loads stay before what is stored ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_SIMD_JOINEDLOADS_H
#define CUFORT_COMPILER_CPU_SIMD_JOINEDLOADS_H

#include "llvm/IR/Function.h"

namespace cufort::cpu {

/// Freezes what conditional code of \p entry loads and a join then chooses or
/// not. Made a vector, that is a select of a masked load, of which InstCombine
/// makes a masked load in the select's place: after what was stored between the
/// two, so that `x = a(i); a(i) = y` under a condition gives y (LLVM 22; issue
/// 215453 of llvm-project, mended in 23). It does not look through a freeze,
/// which costs nothing.
void freezeJoinedLoads(llvm::Function &entry);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_SIMD_JOINEDLOADS_H
