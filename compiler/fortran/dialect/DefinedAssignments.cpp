//===- DefinedAssignments.cpp - device data on the right ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/dialect/DefinedAssignments.h"
#include "compiler/fortran/NodeVisitor.h"
#include "compiler/fortran/TypedExpressions.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/tools.h"

using namespace Fortran;

namespace {

struct Assignments {
  explicit Assignments(semantics::SemanticsContext &context)
      : context(context) {}

  using Nodes = cufort::NodeList<parser::AssignmentStmt>;

  void Post(const parser::AssignmentStmt &statement) {
    evaluate::GenericAssignmentWrapper *typed = statement.typedAssignment.get();
    auto *call = typed && typed->v
                     ? std::get_if<evaluate::ProcedureRef>(&typed->v->u)
                     : nullptr;
    const auto *right =
        semantics::GetExpr(context, std::get<parser::Expr>(statement.t));
    if (!call || call->arguments().size() != 2 || !call->arguments()[1] ||
        !right || !cufort::isVariable(*right))
      return;
    const semantics::Symbol *last = cufort::lastSymbol(*right);
    const semantics::Symbol *first = cufort::firstSymbol(*right);
    auto *operand = call->arguments()[1]->UnwrapExpr();
    if (operand && (isOnDevice(last) || isOnDevice(first)))
      *operand = *right;
  }

  static bool isOnDevice(const semantics::Symbol *symbol) {
    return symbol && semantics::GetCUDADataAttr(&symbol->GetUltimate()) ==
                         common::CUDADataAttr::Device;
  }

  semantics::SemanticsContext &context;
};

} // namespace

void cufort::passDeviceOperands(const parser::Program &program,
                                semantics::SemanticsContext &context) {
  Assignments assignments(context);
  cufort::walk(program, assignments);
}
