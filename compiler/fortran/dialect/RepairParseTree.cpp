//===- RepairParseTree.cpp - what semantics would stumble over ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/dialect/RepairParseTree.h"
#include "compiler/fortran/NodeVisitor.h"
#include "flang/Parser/parse-tree.h"
#include <set>
#include <string>

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

/// True for the prefixes of a procedure that runs on the host only.
bool isHostProcedure(const std::list<parser::PrefixSpec> &prefixes) {
  for (const parser::PrefixSpec &prefix : prefixes)
    if (auto *attributes =
            std::get_if<parser::PrefixSpec::Attributes>(&prefix.u))
      for (common::CUDASubprogramAttrs attribute : attributes->v)
        if (attribute != common::CUDASubprogramAttrs::Host)
          return false;
  return true;
}

/// The names of a procedure's dummy arguments.
std::set<std::string> dummies(const parser::SubroutineStmt &statement) {
  std::set<std::string> names;
  for (const auto &dummy : std::get<std::list<parser::DummyArg>>(statement.t))
    if (auto *name = std::get_if<parser::Name>(&dummy.u))
      names.insert(name->ToString());
  return names;
}
std::set<std::string> dummies(const parser::FunctionStmt &statement) {
  std::set<std::string> names;
  for (const auto &name : std::get<std::list<parser::Name>>(statement.t))
    names.insert(name.ToString());
  return names;
}

/// In a host procedure a dummy argument with the attribute constant is the
/// address of data that the host reads and writes by transfers, as with device.
struct ConstantDummies {
  using Nodes =
      cufort::NodeList<parser::TypeDeclarationStmt, parser::CUDAAttributesStmt>;
  void Post(parser::TypeDeclarationStmt &declaration) {
    for (const auto &entity :
         std::get<std::list<parser::EntityDecl>>(declaration.t))
      if (!names.count(std::get<parser::ObjectName>(entity.t).ToString()))
        return;
    for (auto &spec : std::get<std::list<parser::AttrSpec>>(declaration.t))
      if (auto *attribute = std::get_if<common::CUDADataAttr>(&spec.u))
        makeDevice(*attribute);
  }
  void Post(parser::CUDAAttributesStmt &statement) {
    for (const auto &name : std::get<std::list<parser::Name>>(statement.t))
      if (!names.count(name.ToString()))
        return;
    makeDevice(std::get<common::CUDADataAttr>(statement.t));
  }
  static void makeDevice(common::CUDADataAttr &attribute) {
    if (attribute == common::CUDADataAttr::Constant)
      attribute = common::CUDADataAttr::Device;
  }
  std::set<std::string> names;
};

struct Repair {
  using Nodes = cufort::NodeList<
      parser::SubroutineSubprogram, parser::FunctionSubprogram,
      parser::InterfaceBody::Subroutine, parser::InterfaceBody::Function,
      parser::PrefixSpec::Launch_Bounds, parser::ExecutionPart>;

  void Post(parser::SubroutineSubprogram &procedure) { repair(procedure); }
  void Post(parser::FunctionSubprogram &procedure) { repair(procedure); }
  void Post(parser::InterfaceBody::Subroutine &body) { repair(body); }
  void Post(parser::InterfaceBody::Function &body) { repair(body); }

  void Post(parser::PrefixSpec::Launch_Bounds &bounds) {
    if (bounds.v.size() == 1)
      bounds.v.emplace_back(literalOne());
  }
  /// Prefixes stand in the specification part; statements are not walked.
  bool Pre(parser::ExecutionPart &) { return false; }

private:
  template <typename Procedure> static void repair(Procedure &procedure) {
    auto &statement = std::get<0>(procedure.t).statement;
    if (!isHostProcedure(std::get<std::list<parser::PrefixSpec>>(statement.t)))
      return;
    ConstantDummies repair;
    repair.names = dummies(statement);
    cufort::walk(std::get<1>(procedure.t), repair);
  }
};

} // namespace

void cufort::repairParseTree(parser::Program &program) {
  Repair repair;
  cufort::walk(program, repair);
}
