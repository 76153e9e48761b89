//===- TypedExpressions.cpp - what an expression refers to ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/TypedExpressions.h"
#include "flang/Evaluate/tools.h"

using namespace Fortran;

const semantics::Symbol *
cufort::firstSymbol(const TypedExpression &expression) {
  return evaluate::GetFirstSymbol(expression);
}

const semantics::Symbol *cufort::lastSymbol(const TypedExpression &expression) {
  return evaluate::GetLastSymbol(expression);
}

std::optional<semantics::SymbolVector>
cufort::symbolsOf(const TypedExpression &expression) {
  auto part = evaluate::ExtractDataRef(expression, /*intoSubstring=*/true,
                                       /*intoComplexPart=*/true);
  if (!part)
    return std::nullopt;
  return evaluate::GetSymbolVector(*part);
}

bool cufort::isVariable(const TypedExpression &expression) {
  return evaluate::IsVariable(expression);
}

const evaluate::ProcedureRef *
cufort::procedureReference(const TypedExpression &expression) {
  return evaluate::UnwrapProcedureRef(expression);
}
