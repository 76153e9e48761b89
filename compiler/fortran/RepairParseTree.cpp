//===- RepairParseTree.cpp - what semantics would stumble over ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/RepairParseTree.h"
#include "flang/Parser/parse-tree-visitor.h"
#include "flang/Parser/parse-tree.h"

using namespace Fortran;

namespace {

parser::ScalarIntConstantExpr literalOne() {
  static constexpr char text[] = "1";
  parser::CharBlock source(text, 1);
  parser::Expr expression{parser::LiteralConstant{parser::IntLiteralConstant{
      parser::CharBlock(source), std::optional<parser::KindParam>{}}}};
  expression.source = source;
  return parser::Scalar{parser::Integer{parser::Constant{
      common::Indirection<parser::Expr>{std::move(expression)}}}};
}

struct Repair {
  template <typename T> bool Pre(T &) { return true; }
  template <typename T> void Post(T &) {}

  void Post(parser::PrefixSpec::Launch_Bounds &bounds) {
    if (bounds.v.size() == 1)
      bounds.v.emplace_back(literalOne());
  }
  /// Prefixes stand in the specification part; statements are not walked.
  bool Pre(parser::ExecutionPart &) { return false; }
};

} // namespace

void cufort::repairParseTree(parser::Program &program) {
  Repair repair;
  parser::Walk(program, repair);
}
