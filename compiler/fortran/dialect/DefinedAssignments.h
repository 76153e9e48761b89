//===- DefinedAssignments.h - device data on the right ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_DIALECT_DEFINEDASSIGNMENTS_H
#define CUFORT_COMPILER_FORTRAN_DIALECT_DEFINEDASSIGNMENTS_H

namespace Fortran::parser {
struct Program;
}
namespace Fortran::semantics {
class SemanticsContext;
}

namespace cufort {

/// Gives the procedure of a defined assignment device data on the right-hand
/// side as they are. Flang puts them into parentheses, as the standard says,
/// and an expression of the host's is not in device memory. Needs a program
/// after semantics.
void passDeviceOperands(const Fortran::parser::Program &program,
                        Fortran::semantics::SemanticsContext &context);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_DIALECT_DEFINEDASSIGNMENTS_H
