//===- BooleanArguments.h - bool of C, logical of Fortran -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device procedure that one language defines and the other calls: C's bool is
// one bit in Clang's device code, Fortran's logical(c_bool) a byte in Flang's.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LINK_BOOLEANARGUMENTS_H
#define CUFORT_LINK_BOOLEANARGUMENTS_H

#include "llvm/IR/Function.h"

namespace cufort {

/// Whether all arguments and the result of \p one have the types of \p other,
/// but for bits in the places of bytes.
bool differsInBooleans(const llvm::FunctionType *one,
                       const llvm::FunctionType *other);

/// Gives the symbol of \p function to a function of type \p type, of which
/// differsInBooleans is true. Defined, it is that which calls \p function; if
/// \p function is a declaration, it becomes what calls the symbol.
void passBooleansAs(llvm::Function &function, llvm::FunctionType *type);

} // namespace cufort

#endif // CUFORT_LINK_BOOLEANARGUMENTS_H
