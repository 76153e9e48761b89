//===- IntegerConditions.cpp - integers as conditions ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/IntegerConditions.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/parse-tree-visitor.h"
#include "flang/Semantics/semantics.h"

using namespace Fortran;

namespace {

struct Conditions {
  explicit Conditions(semantics::SemanticsContext &semantics)
      : semantics(semantics) {}

  template <typename T> bool Pre(T &) { return true; }
  template <typename T> void Post(T &) {}

  void Post(parser::Logical<common::Indirection<parser::Expr>> &condition) {
    evaluate::GenericExprWrapper *typed =
        condition.thing.value().typedExpr.get();
    if (!typed || !typed->v)
      return;
    auto type = typed->v->GetType();
    if (!type || type->category() != common::TypeCategory::Integer)
      return;
    auto truth = evaluate::Relate(
        semantics.foldingContext().messages(), common::RelationalOperator::NE,
        std::move(*typed->v),
        evaluate::AsGenericExpr(evaluate::Expr<evaluate::SubscriptInteger>{0}));
    if (truth)
      typed->v = evaluate::AsGenericExpr(std::move(*truth));
  }

  semantics::SemanticsContext &semantics;
};

} // namespace

void cufort::compareIntegerConditions(parser::Program &program,
                                      semantics::SemanticsContext &semantics) {
  Conditions conditions(semantics);
  parser::Walk(program, conditions);
}
