//===- TypedExpressions.h - what an expression refers to --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_TYPEDEXPRESSIONS_H
#define CUFORT_COMPILER_FORTRAN_TYPEDEXPRESSIONS_H

#include "flang/Evaluate/expression.h"
#include "flang/Semantics/symbol.h"
#include <optional>

namespace cufort {

// Flang's functions of these names are templates, each of which takes ten
// seconds to compile for all kinds of expressions.
using TypedExpression = Fortran::evaluate::Expr<Fortran::evaluate::SomeType>;

/// Of a%b(i)%c, a; null if \p expression is not a designator.
const Fortran::semantics::Symbol *
firstSymbol(const TypedExpression &expression);

/// Of a%b(i)%c, c; of an expression, the last name in it, or null.
const Fortran::semantics::Symbol *lastSymbol(const TypedExpression &expression);

/// Of a%b(i)%c, a, b and c; no value if \p expression is not a designator.
std::optional<Fortran::semantics::SymbolVector>
symbolsOf(const TypedExpression &expression);

/// Whether something can be assigned to \p expression.
bool isVariable(const TypedExpression &expression);

/// The reference to a procedure that \p expression is as a whole, or null.
const Fortran::evaluate::ProcedureRef *
procedureReference(const TypedExpression &expression);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_TYPEDEXPRESSIONS_H
