//===- ModuleConstants.h - constants of intrinsic modules -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_MODULES_MODULECONSTANTS_H
#define CUFORT_COMPILER_FORTRAN_MODULES_MODULECONSTANTS_H

namespace Fortran::semantics {
class SemanticsContext;
}

namespace cufort {

/// Takes the scalar constants of intrinsic modules out of the program's scopes.
/// Lowering declares every constant that a procedure can see, and `use cudafor`
/// brings three hundred of them: 14 ms for each procedure, for values that
/// semantics has already put wherever their names stood. Needs a program after
/// semantics, its module files written.
void forgetModuleConstants(Fortran::semantics::SemanticsContext &context);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_MODULES_MODULECONSTANTS_H
