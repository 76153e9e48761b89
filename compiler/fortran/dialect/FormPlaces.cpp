//===- FormPlaces.cpp - where forms that are not standard stand ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/dialect/FormPlaces.h"
#include "compiler/fortran/NodeVisitor.h"
#include "compiler/fortran/TypedExpressions.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "flang/Semantics/type.h"

using namespace Fortran;

std::optional<evaluate::DynamicType>
cufort::forms::typeOf(const parser::Expr &value) {
  return value.typedExpr && value.typedExpr->v ? value.typedExpr->v->GetType()
                                               : std::nullopt;
}

bool cufort::forms::isPointer(const parser::Expr &variable) {
  const semantics::Symbol *symbol =
      variable.typedExpr && variable.typedExpr->v
          ? cufort::lastSymbol(*variable.typedExpr->v)
          : nullptr;
  return symbol && semantics::IsPointer(symbol->GetUltimate());
}

int cufort::forms::width(const evaluate::DynamicType &type) {
  switch (type.category()) {
  case common::TypeCategory::Integer:
    return 1;
  case common::TypeCategory::Real:
    return 2;
  case common::TypeCategory::Complex:
    return 3;
  default:
    return 0;
  }
}

namespace {
struct NameCollector {
  using Nodes = cufort::NodeList<parser::Name>;
  void Post(const parser::Name &name) { names.insert(name.ToString()); }
  std::set<std::string> &names;
};

struct PlaceCollector {
  using Nodes = cufort::NodeList<parser::Name>;
  void Post(const parser::Name &name) { places.push_back(name.source); }
  std::vector<parser::CharBlock> places;
};

bool isConstantOrType(const semantics::Symbol &symbol) {
  const semantics::Symbol &ultimate = symbol.GetUltimate();
  const auto *generic = ultimate.detailsIf<semantics::GenericDetails>();
  return semantics::IsNamedConstant(ultimate) ||
         ultimate.has<semantics::DerivedTypeDetails>() ||
         (generic && generic->derivedType());
}

} // namespace

void cufort::forms::collectNames(const parser::SpecificationExpr &tree,
                                 std::set<std::string> &names) {
  NameCollector collector{names};
  cufort::walk(tree, collector);
}

bool cufort::forms::takesFunctionAddress(const semantics::Symbol &procedure,
                                         const parser::Name *keyword,
                                         std::size_t position) {
  const auto *details = procedure.detailsIf<semantics::SubprogramDetails>();
  if (!details)
    return false;
  for (const semantics::Symbol *dummy : details->dummyArgs()) {
    const bool isIt =
        keyword ? dummy && dummy->name() == keyword->source : position-- == 0;
    if (!isIt || !dummy)
      continue;
    const auto *object = dummy->detailsIf<semantics::ObjectEntityDetails>();
    const semantics::DeclTypeSpec *type = dummy->GetType();
    const semantics::DerivedTypeSpec *record =
        type ? type->AsDerived() : nullptr;
    return object && !object->ignoreTKR().empty() && record &&
           dummy->attrs().test(semantics::Attr::VALUE) &&
           record->typeSymbol().GetUltimate().name() == "__builtin_c_funptr";
  }
  return false;
}

bool cufort::forms::isNull(const parser::ActualArgSpec &argument) {
  const auto *value = std::get_if<common::Indirection<parser::Expr>>(
      &std::get<parser::ActualArg>(argument.t).u);
  const auto *function =
      value ? std::get_if<common::Indirection<parser::FunctionReference>>(
                  &value->value().u)
            : nullptr;
  if (!function)
    return false;
  const parser::Call &call = function->value().v;
  const auto *name = std::get_if<parser::Name>(
      &std::get<parser::ProcedureDesignator>(call.t).u);
  return name && name->ToString() == "null" &&
         std::get<std::list<parser::ActualArgSpec>>(call.t).empty();
}

/// The dummy argument that \p spec, which is at \p position, is for.
static const semantics::Symbol *
dummyOf(const semantics::SubprogramDetails &procedure,
        const parser::ActualArgSpec &spec, std::size_t position) {
  const auto &keyword = std::get<std::optional<parser::Keyword>>(spec.t);
  if (!keyword)
    return position < procedure.dummyArgs().size()
               ? procedure.dummyArgs()[position]
               : nullptr;
  for (const semantics::Symbol *dummy : procedure.dummyArgs())
    if (dummy && dummy->name() == keyword->v.source)
      return dummy;
  return nullptr;
}

/// The names of a procedure's dummy arguments, if those of NULL() are optional
/// and no pointers, and there are such.
static std::vector<std::string>
namesIfOptional(const semantics::Symbol &procedure,
                const std::list<parser::ActualArgSpec> &arguments) {
  const auto *details =
      procedure.GetUltimate().detailsIf<semantics::SubprogramDetails>();
  bool hasNull = false;
  std::size_t position = 0;
  for (const parser::ActualArgSpec &spec : arguments) {
    const semantics::Symbol *dummy =
        details ? dummyOf(*details, spec, position++) : nullptr;
    if (!dummy)
      return {};
    if (!cufort::forms::isNull(spec))
      continue;
    if (!semantics::IsOptional(*dummy) ||
        semantics::IsAllocatableOrPointer(*dummy))
      return {};
    hasNull = true;
  }
  std::vector<std::string> names;
  if (hasNull)
    for (const semantics::Symbol *dummy : details->dummyArgs())
      names.push_back(dummy ? dummy->name().ToString() : "");
  return names;
}

std::vector<std::string> cufort::forms::optionalAtNulls(
    const semantics::Symbol &callee,
    const std::list<parser::ActualArgSpec> &arguments) {
  if (const auto *generic =
          callee.GetUltimate().detailsIf<semantics::GenericDetails>())
    for (const semantics::Symbol &specific : generic->specificProcs())
      if (auto names = namesIfOptional(specific, arguments); !names.empty())
        return names;
  return {};
}

bool cufort::forms::hasName(semantics::SemanticsContext &semantics,
                            const parser::Name &module,
                            const std::string &name) {
  auto &modules = semantics.globalScope();
  auto found = modules.find(module.source);
  const semantics::Scope *scope =
      found == modules.end() ? nullptr : found->second->scope();
  if (!scope)
    return false;
  auto entity = scope->find(parser::CharBlock(name));
  return entity != scope->end() &&
         !entity->second->attrs().test(semantics::Attr::PRIVATE);
}

bool cufort::forms::isOfModule(const parser::Name &name) {
  const semantics::Symbol *symbol = name.symbol;
  return symbol && symbol->has<semantics::UseDetails>() &&
         symbol->GetUltimate().test(semantics::Symbol::Flag::Function);
}

std::vector<parser::CharBlock>
cufort::forms::hostNames(const parser::InterfaceBody &body,
                         parser::CharBlock text,
                         semantics::SemanticsContext &semantics) {
  PlaceCollector collector;
  cufort::walk(body, collector);
  const semantics::Scope &scope = semantics.FindScope(text);
  std::vector<parser::CharBlock> names;
  if (scope.IsGlobal())
    return names;
  for (parser::CharBlock name : collector.places) {
    const auto own = scope.find(name);
    if (own != scope.end() &&
        (!own->second->test(semantics::Symbol::Flag::Implicit) ||
         semantics::IsDummy(*own->second)))
      continue;
    const semantics::Symbol *hosts = scope.parent().FindSymbol(name);
    if (hosts && isConstantOrType(*hosts))
      names.push_back(name);
  }
  return names;
}
