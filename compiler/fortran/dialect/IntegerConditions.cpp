//===- IntegerConditions.cpp - integers as conditions ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/dialect/IntegerConditions.h"
#include "compiler/fortran/NodeVisitor.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/semantics.h"

using namespace Fortran;

namespace {

struct Conditions {
  explicit Conditions(semantics::SemanticsContext &semantics)
      : semantics(semantics) {}

  using Nodes =
      cufort::NodeList<parser::Logical<common::Indirection<parser::Expr>>>;

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
  cufort::walk(program, conditions);
}
