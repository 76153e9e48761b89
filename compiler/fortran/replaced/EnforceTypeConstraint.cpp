//===- EnforceTypeConstraint.cpp - integers as conditions -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces Fortran::evaluate::ExpressionAnalyzer::EnforceTypeConstraint, which
// refuses an integer where Fortran wants a logical expression. Other compilers
// accept it, and programs write if (ballot(...)) and if (ierror): a warning.
// IntegerConditions makes a comparison of it before anything is generated.
//
//===----------------------------------------------------------------------===//

#include "flang/Parser/characters.h"
#include "flang/Semantics/expression.h"

using namespace Fortran::parser::literals;

namespace Fortran::evaluate {

bool ExpressionAnalyzer::EnforceTypeConstraint(parser::CharBlock at,
                                               const MaybeExpr &result,
                                               TypeCategory category,
                                               bool defaultKind) {
  if (!result)
    return true;
  std::string wanted = parser::ToUpperCaseLetters(EnumToString(category));
  auto type = result->GetType();
  if (!type) {
    Say(at, "Must have %s type, but is typeless"_err_en_US, wanted);
    return false;
  }
  if (type->category() != category) {
    if (category == TypeCategory::Logical &&
        type->category() == TypeCategory::Integer && result->Rank() == 0) {
      Say(at, "an integer is not a condition; it counts as true if it is not "
              "zero"_warn_en_US);
      return true;
    }
    Say(at, "Must have %s type, but is %s"_err_en_US, wanted,
        parser::ToUpperCaseLetters(type->AsFortran()));
    return false;
  }
  if (int kind = context_.GetDefaultKind(category);
      defaultKind && type->kind() != kind) {
    Say(at, "Must have default kind(%d) of %s type, but is %s"_err_en_US, kind,
        wanted, parser::ToUpperCaseLetters(type->AsFortran()));
    return false;
  }
  return true;
}

} // namespace Fortran::evaluate
