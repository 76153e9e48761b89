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

/// Compares again after a loop what has been compared before it, where five
/// conditions or more would go through the loop:
///
///     if (i + 256 < n) a = in[i + 256];
///     if (i + 512 < n) b = in[i + 512];
///     ...
///     for (...) ...
///     if (i + 256 < n) out[i + 256] = a;
///
/// LLVM compares once. A thread has seven registers for conditions, and ptxas
/// does the loop's own in those that are left. The sums with a number that are
/// compared are added up again as well, so that they do not go through the loop
/// instead.
///
/// Needs: LLVM's elimination of common machine instructions (MachineCSE) done.
llvm::FunctionPass *createComparesPass();

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_MACHINE_COMPAREREMATERIALIZATION_H
