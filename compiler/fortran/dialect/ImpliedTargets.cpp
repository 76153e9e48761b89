//===- ImpliedTargets.cpp - variables whose address is taken --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/dialect/ImpliedTargets.h"
#include "compiler/fortran/NodeVisitor.h"
#include "compiler/fortran/TypedExpressions.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"

using namespace Fortran;

namespace {

struct Addresses {
  explicit Addresses(semantics::SemanticsContext &context) : context(context) {}

  using Nodes = cufort::NodeList<parser::FunctionReference,
                                 parser::PointerAssignmentStmt>;

  void Post(const parser::FunctionReference &function) {
    const auto *name = std::get_if<parser::Name>(
        &std::get<parser::ProcedureDesignator>(function.v.t).u);
    const auto &arguments =
        std::get<std::list<parser::ActualArgSpec>>(function.v.t);
    if (!name || !name->symbol || arguments.size() != 1 ||
        name->symbol->GetUltimate().name() != "c_loc")
      return;
    const auto *argument = std::get_if<common::Indirection<parser::Expr>>(
        &std::get<parser::ActualArg>(arguments.front().t).u);
    const auto *typed =
        argument ? semantics::GetExpr(context, argument->value()) : nullptr;
    if (typed)
      makeTarget(cufort::firstSymbol(*typed));
  }

  void Post(const parser::PointerAssignmentStmt &statement) {
    if (const auto *target =
            semantics::GetExpr(context, std::get<parser::Expr>(statement.t)))
      makeTarget(cufort::firstSymbol(*target));
  }

private:
  void makeTarget(const semantics::Symbol *base) {
    if (!base)
      return;
    const semantics::Symbol &variable = base->GetUltimate();
    if (const auto *name =
            variable.detailsIf<semantics::AssocEntityDetails>()) {
      // The name of a selector, which is what is pointed to.
      if (name->expr() && cufort::isVariable(*name->expr()))
        makeTarget(cufort::firstSymbol(*name->expr()));
    } else if (!semantics::IsPointer(variable) &&
               variable.has<semantics::ObjectEntityDetails>()) {
      const_cast<semantics::Symbol &>(variable).attrs().set(
          semantics::Attr::TARGET);
    }
  }

  semantics::SemanticsContext &context;
};

} // namespace

void cufort::addImpliedTargets(const parser::Program &program,
                               semantics::SemanticsContext &context) {
  Addresses addresses(context);
  cufort::walk(program, addresses);
}
