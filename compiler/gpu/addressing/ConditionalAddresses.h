//===- ConditionalAddresses.h - one address before conditions ---*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ADDRESSING_CONDITIONALADDRESSES_H
#define CUFORT_COMPILER_GPU_ADDRESSING_CONDITIONALADDRESSES_H

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace cufort {

/// Computes one address before the conditions under which several accesses at
/// constant distances from it are done, each under its own:
///
///     for (j = 0; j < m; j++)
///       if (first + j >= 0 && first + j < n) sum += a[first + j] * w[j];
///
/// Of the four iterations that are done at a time each would compute its own
/// address; and ptxas executes a load under a predicate, instead of branching,
/// where there is no more to do than the load. It has to come after
/// CodeGenPrepare, which moves addresses to their accesses, and needs the
/// pointers' sizes as code is generated for them.
llvm::FunctionPass *createConditionalAddressesPass();

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ADDRESSING_CONDITIONALADDRESSES_H
