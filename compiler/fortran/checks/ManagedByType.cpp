//===- ManagedByType.cpp - records that the front end makes managed -------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/checks/ManagedByType.h"
#include "compiler/fortran/NodeVisitor.h"
#include "flang/Semantics/tools.h"
#include "flang/Semantics/type.h"
#include "llvm/ADT/STLExtras.h"

using namespace Fortran;
using common::CUDADataAttr;

namespace {

/// The objects whose declarations name an attribute for memory.
struct CollectSaid {
  using Nodes =
      cufort::NodeList<parser::TypeDeclarationStmt, parser::CUDAAttributesStmt,
                       parser::DataComponentDefStmt>;

  template <typename Attribute>
  static bool hasAttribute(const std::list<Attribute> &attributes) {
    return llvm::any_of(attributes, [](const Attribute &attribute) {
      return std::holds_alternative<CUDADataAttr>(attribute.u);
    });
  }

  void Post(const parser::TypeDeclarationStmt &declaration) {
    if (!hasAttribute(std::get<std::list<parser::AttrSpec>>(declaration.t)))
      return;
    for (const parser::EntityDecl &entity :
         std::get<std::list<parser::EntityDecl>>(declaration.t))
      said.insert(std::get<parser::ObjectName>(entity.t).symbol);
  }

  void Post(const parser::CUDAAttributesStmt &statement) {
    for (const parser::Name &name :
         std::get<std::list<parser::Name>>(statement.t))
      said.insert(name.symbol);
  }

  void Post(const parser::DataComponentDefStmt &definition) {
    if (!hasAttribute(
            std::get<std::list<parser::ComponentAttrSpec>>(definition.t)))
      return;
    for (const parser::ComponentOrFill &component :
         std::get<std::list<parser::ComponentOrFill>>(definition.t))
      if (const auto *named = std::get_if<parser::ComponentDecl>(&component.u))
        said.insert(std::get<parser::Name>(named->t).symbol);
  }

  std::set<const semantics::Symbol *> said;
};

} // namespace

cufort::ManagedByType::ManagedByType(const parser::Program &program) {
  CollectSaid collect;
  cufort::walk(program, collect);
  said = std::move(collect.said);
}

bool cufort::ManagedByType::contains(const semantics::Symbol &object) const {
  const semantics::DeclTypeSpec *type = object.GetType();
  const semantics::DerivedTypeSpec *derived =
      type ? type->AsDerived() : nullptr;
  if (!derived || said.count(&object) ||
      semantics::GetCUDADataAttr(&object) != CUDADataAttr::Managed)
    return false;
  return llvm::any_of(
      semantics::UltimateComponentIterator(*derived),
      [](const semantics::Symbol &component) {
        return semantics::GetCUDADataAttr(&component).has_value();
      });
}
