//===- ImpliedTargets.h - variables whose address is taken ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_DIALECT_IMPLIEDTARGETS_H
#define CUFORT_COMPILER_FORTRAN_DIALECT_IMPLIEDTARGETS_H

namespace Fortran::parser {
struct Program;
}
namespace Fortran::semantics {
class SemanticsContext;
}

namespace cufort {

/// Makes the variables that C_LOC is asked for, and those that a pointer is
/// assigned, targets, as other compilers do where the program does not say so.
/// Without, the optimiser could hold that nobody else reaches them. Needs a
/// program after semantics.
void addImpliedTargets(const Fortran::parser::Program &program,
                       Fortran::semantics::SemanticsContext &context);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_DIALECT_IMPLIEDTARGETS_H
