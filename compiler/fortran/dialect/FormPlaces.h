//===- FormPlaces.h - where non-standard forms are ---------*- C++ -*------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of a parse tree by which StandardForms finds a form again.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_DIALECT_FORMPLACES_H
#define CUFORT_COMPILER_FORTRAN_DIALECT_FORMPLACES_H

#include "flang/Parser/parse-tree.h"
#include <list>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace Fortran::evaluate {
class DynamicType;
}
namespace Fortran::semantics {
class SemanticsContext;
class Symbol;
} // namespace Fortran::semantics

namespace cufort::forms {

namespace parser = Fortran::parser;
namespace common = Fortran::common;

using Uses = std::list<parser::Statement<common::Indirection<parser::UseStmt>>>;
using Imports =
    std::list<parser::Statement<common::Indirection<parser::ImportStmt>>>;
using Declarations = std::list<parser::DeclarationConstruct>;
using Declaration =
    parser::Statement<common::Indirection<parser::TypeDeclarationStmt>>;

/// The values of an array constructor, those of implied loops among them.
inline void collectValues(const std::list<parser::AcValue> &values,
                          std::vector<const parser::Expr *> &all) {
  for (const parser::AcValue &value : values)
    if (auto *one = std::get_if<common::Indirection<parser::Expr>>(&value.u))
      all.push_back(&one->value());
    else if (auto *loop = std::get_if<common::Indirection<parser::AcImpliedDo>>(
                 &value.u))
      collectValues(std::get<std::list<parser::AcValue>>(loop->value().t), all);
}

/// Those of one without a type of its own.
inline std::vector<const parser::Expr *>
untypedValues(const parser::ArrayConstructor &constructor) {
  std::vector<const parser::Expr *> values;
  if (!std::get<std::optional<parser::TypeSpec>>(constructor.v.t))
    collectValues(std::get<std::list<parser::AcValue>>(constructor.v.t),
                  values);
  return values;
}

inline const Declaration *
typeDeclaration(const parser::DeclarationConstruct &one) {
  auto *construct = std::get_if<parser::SpecificationConstruct>(&one.u);
  return construct ? std::get_if<Declaration>(&construct->u) : nullptr;
}

inline const std::list<parser::EntityDecl> &
entitiesOf(const Declaration &statement) {
  return std::get<std::list<parser::EntityDecl>>(statement.statement.value().t);
}

inline const parser::Name &nameOf(const parser::EntityDecl &entity) {
  return std::get<parser::ObjectName>(entity.t);
}

/// The name, if the expression is nothing but a name.
inline const parser::Name *nameAlone(const parser::Expr &expression) {
  auto *designator =
      std::get_if<common::Indirection<parser::Designator>>(&expression.u);
  auto *data = designator ? std::get_if<parser::DataRef>(&designator->value().u)
                          : nullptr;
  return data ? std::get_if<parser::Name>(&data->u) : nullptr;
}

/// The names of a renaming, if it is one of names.
inline const std::tuple<parser::Name, parser::Name> *
namesOf(const parser::Rename &rename) {
  auto *names = std::get_if<parser::Rename::Names>(&rename.u);
  return names ? &names->t : nullptr;
}

/// The renamings in one USE statement.
inline std::vector<const std::tuple<parser::Name, parser::Name> *>
renamings(const parser::UseStmt &use) {
  std::vector<const std::tuple<parser::Name, parser::Name> *> all;
  auto add = [&](const parser::Rename &rename) {
    if (auto *names = namesOf(rename))
      all.push_back(names);
  };
  if (auto *renames = std::get_if<std::list<parser::Rename>>(&use.u))
    llvm::for_each(*renames, add);
  if (auto *only = std::get_if<std::list<parser::Only>>(&use.u))
    for (const parser::Only &item : *only)
      if (auto *rename = std::get_if<parser::Rename>(&item.u))
        add(*rename);
  return all;
}

/// The bounds of an implied DO loop, of an array constructor or of data that
/// are read or written.
using ImpliedBounds =
    parser::LoopBounds<parser::DoVariable, parser::ScalarIntExpr>;

inline std::vector<const parser::Expr *> boundsOf(const ImpliedBounds &bounds) {
  std::vector<const parser::Expr *> all{&bounds.lower.thing.thing.value(),
                                        &bounds.upper.thing.thing.value()};
  if (bounds.step)
    all.push_back(&bounds.step->thing.thing.value());
  return all;
}

/// The type of an analysed expression, if it has one.
std::optional<Fortran::evaluate::DynamicType> typeOf(const parser::Expr &value);

/// Whether an analysed expression is a pointer.
bool isPointer(const parser::Expr &variable);

/// Which numeric types hold the values of which others, 0 for other types.
int width(const Fortran::evaluate::DynamicType &type);

void collectNames(const parser::SpecificationExpr &tree,
                  std::set<std::string> &names);

/// Whether the argument \p keyword of \p procedure, or that at \p position, is
/// TYPE(C_FUNPTR), VALUE with IGNORE_TKR.
bool takesFunctionAddress(const Fortran::semantics::Symbol &procedure,
                          const parser::Name *keyword, std::size_t position);

/// Whether an actual argument is NULL() without an argument of its own.
bool isNull(const parser::ActualArgSpec &argument);

/// The names of the dummy arguments of a specific procedure of the generic
/// \p callee in which all NULL() are for optional arguments that are no
/// pointers; none if there is no such procedure or no NULL().
std::vector<std::string>
optionalAtNulls(const Fortran::semantics::Symbol &callee,
                const std::list<parser::ActualArgSpec> &arguments);

/// Whether \p module has \p name, and not for itself alone.
bool hasName(Fortran::semantics::SemanticsContext &semantics,
             const parser::Name &module, const std::string &name);

/// A function of a module: the name of one's own result, and of what is
/// declared here, may have been meant for something else.
bool isOfModule(const parser::Name &name);

/// Calls \p use with the name that an interface body declares, its declarations
/// and the text of all its statements.
template <typename Body, typename Use> void withParts(Body &body, Use use) {
  std::visit(
      [&](auto &one) {
        auto &head = std::get<0>(one.t);
        parser::CharBlock text = head.source;
        text.ExtendToCover(std::get<2>(one.t).source);
        use(std::get<parser::Name>(head.statement.t),
            std::get<1>(one.t).value(), text);
      },
      body.u);
}

/// The names in an interface body whose text is \p text that are constants and
/// derived types of its host, and nothing in the body.
std::vector<parser::CharBlock>
hostNames(const parser::InterfaceBody &body, parser::CharBlock text,
          Fortran::semantics::SemanticsContext &semantics);

} // namespace cufort::forms

#endif // CUFORT_COMPILER_FORTRAN_DIALECT_FORMPLACES_H
