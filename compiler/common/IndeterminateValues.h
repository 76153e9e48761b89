//===- IndeterminateValues.h - variables read before set --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_COMMON_INDETERMINATEVALUES_H
#define CUFORT_COMPILER_COMMON_INDETERMINATEVALUES_H

namespace llvm {
class Module;
}

namespace cufort {

/// A lane may hand on what it has not set: `if (lane == 0) n = atomicAdd(...);
/// n = __shfl_sync(mask, n, 0);`. Clang says of every parameter and result that
/// it is defined, LLVM infers that the other lanes cannot come there, and drops
/// the condition. Needs device code as the front ends have written it; leaves
/// parameters (other than the kernels' own, which the host sets), results and
/// loads of which nothing is said, and variables that have some value from the
/// start where they may not have been set and decide a branch, divide, or are
/// part of an address.
void settleIndeterminateValues(llvm::Module &device);

} // namespace cufort

#endif // CUFORT_COMPILER_COMMON_INDETERMINATEVALUES_H
