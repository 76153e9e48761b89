//===- CompareRematerialization.h - conditions after loops ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_MACHINE_COMPAREREMATERIALIZATION_H
#define CUFORT_COMPILER_GPU_MACHINE_COMPAREREMATERIALIZATION_H

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace cufort {

/// Rematerialises comparisons behind a loop where five of their results or more
/// would be live through the loop:
///
///     if (i + 256 < n) a = in[i + 256];
///     if (i + 512 < n) b = in[i + 512];
///     ...
///     for (...) ...
///     if (i + 256 < n) out[i + 256] = a;
///
/// LLVM compares once. A thread has seven predicate registers, and ptxas does
/// the loop's own comparisons in those that are left. The sums with a constant
/// that are compared are computed again as well, so that they are not live
/// through the loop instead.
///
/// Needs: LLVM's elimination of common machine instructions (MachineCSE) done.
llvm::FunctionPass *createComparesPass();

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_MACHINE_COMPAREREMATERIALIZATION_H
