//===- DebugAddresses.h - addresses that debuggers find --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_COMMON_DEBUGADDRESSES_H
#define CUFORT_COMPILER_COMMON_DEBUGADDRESSES_H

namespace llvm {
class Function;
}

namespace cufort {

/// Lets debuggers find, as long as \p function runs, variables that are
/// described by an address in a register, as dummy arguments are, and what the
/// runtime was asked the address of: the address gets a place in memory. For
/// code that is not optimised.
void keepAddresses(llvm::Function &function);

} // namespace cufort

#endif // CUFORT_COMPILER_COMMON_DEBUGADDRESSES_H
