//===- AddressArguments.h - data as C pointers by value ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_DIALECT_ADDRESSARGUMENTS_H
#define CUFORT_COMPILER_FORTRAN_DIALECT_ADDRESSARGUMENTS_H

namespace Fortran::parser {
struct Program;
class Messages;
} // namespace Fortran::parser
namespace Fortran::semantics {
class SemanticsContext;
}

namespace cufort {

/// Passes the address of an actual argument to a dummy argument with VALUE that
/// is of type(c_ptr) and, by IGNORE_TKR, takes other types, too: what C expects
/// there; integers, of LOC of a procedure, become type(c_funptr) in the same
/// way. Needs analysed expressions. Adds to \p messages an error for every
/// array that goes to another scalar with VALUE.
void passAddresses(const Fortran::parser::Program &program,
                   Fortran::semantics::SemanticsContext &context,
                   Fortran::parser::Messages &messages);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_DIALECT_ADDRESSARGUMENTS_H
