//===- LibraryNames.h - routines that a library lacks -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_MODULES_LIBRARYNAMES_H
#define CUFORT_COMPILER_FORTRAN_MODULES_LIBRARYNAMES_H

namespace Fortran::parser {
struct Program;
class Messages;
} // namespace Fortran::parser
namespace Fortran::semantics {
class SemanticsContext;
}

namespace cufort {

/// Without IMPLICIT NONE a routine that a library's module has not is an
/// external procedure, of which only the linker would say that there is none.
/// Adds to \p messages an error for those that cufort is known not to have, and
/// a warning for other names that begin like those of a module that is used.
void checkLibraryNames(const Fortran::parser::Program &program,
                       Fortran::semantics::SemanticsContext &context,
                       Fortran::parser::Messages &messages);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_MODULES_LIBRARYNAMES_H
