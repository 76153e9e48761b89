//===- IntegerConditions.h - integers as conditions -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_DIALECT_INTEGERCONDITIONS_H
#define CUFORT_COMPILER_FORTRAN_DIALECT_INTEGERCONDITIONS_H

#include "flang/Parser/parse-tree.h"

namespace Fortran::semantics {
class SemanticsContext;
}

namespace cufort {

/// Compares with zero the integers that stand for conditions, which the
/// analysis has warned of (replaced/EnforceTypeConstraint). Needs an analysed
/// program.
void compareIntegerConditions(Fortran::parser::Program &program,
                              Fortran::semantics::SemanticsContext &semantics);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_DIALECT_INTEGERCONDITIONS_H
