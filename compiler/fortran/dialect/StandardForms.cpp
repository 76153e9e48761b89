//===- StandardForms.cpp - standard forms for others ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/dialect/StandardForms.h"
#include "compiler/fortran/NodeVisitor.h"
#include "compiler/fortran/TypedExpressions.h"
#include "compiler/fortran/dialect/FormPlaces.h"
#include "compiler/fortran/replaced/Replaced.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <set>

using namespace Fortran;
using namespace parser::literals;
using namespace cufort::forms;
using cufort::StandardForms;

namespace {

class Finder {
public:
  Finder(semantics::SemanticsContext &semantics, StandardForms::Forms &forms)
      : semantics(semantics), sources(semantics.allCookedSources()),
        forms(forms) {
    for (const parser::Message &message : semantics.messages().messages())
      if (message.IsFatal())
        note(message);
  }

  /// After the walk.
  bool foundAny() {
    for (const semantics::Symbol *symbol : declared)
      if (!used.count(symbol))
        add(StandardForms::Unused, symbol->name(), symbol->name());
    return found;
  }

  using Nodes =
      cufort::NodeList<parser::ArrayConstructor, parser::FunctionReference,
                       parser::Call, parser::Expr, parser::EntityDecl,
                       parser::TypeDeclarationStmt, parser::ProcedureStmt,
                       parser::Name, parser::UseStmt, parser::SpecificationPart,
                       parser::CallStmt, parser::InterfaceBody, ImpliedBounds>;

  void Post(const parser::ArrayConstructor &constructor) {
    if (constructors.empty())
      return;
    const std::vector<const parser::Expr *> values = untypedValues(constructor);
    const parser::Expr *other = nullptr;
    for (const parser::Expr *value : values)
      if (isAt(value->source, constructors))
        other = value;
    auto first = other ? typeOf(*values.front()) : std::nullopt;
    // Values that the first type cannot hold would lose their fractions.
    if (!first || width(*first) == 0 ||
        llvm::any_of(values, [&](const parser::Expr *value) {
          auto type = typeOf(*value);
          return !type || width(*type) == 0 || width(*type) > width(*first);
        }))
      return;
    static const char *const names[] = {"", "integer", "real", "complex"};
    StandardForms::Form &form = add(StandardForms::TypedConstructor,
                                    values.front()->source, other->source);
    form.type = names[width(*first)];
    form.kind = first->kind();
  }

  void Post(const parser::FunctionReference &function) {
    const auto *name = std::get_if<parser::Name>(
        &std::get<parser::ProcedureDesignator>(function.v.t).u);
    const auto &arguments =
        std::get<std::list<parser::ActualArgSpec>>(function.v.t);
    if (!name || arguments.size() != 1)
      return;
    const auto *argument = std::get_if<common::Indirection<parser::Expr>>(
        &std::get<parser::ActualArg>(arguments.front().t).u);
    if (!argument)
      return;
    if (name->ToString() == "allocated" &&
        isAt(argument->value().source, allocated) &&
        isPointer(argument->value()))
      add(StandardForms::Associated, name->source, name->source);
    if (name->ToString() == "not" && isAt(argument->value().source, negated))
      add(StandardForms::Negation, name->source, name->source);
  }

  void Post(const parser::Call &call) {
    const auto *callee = std::get_if<parser::Name>(
        &std::get<parser::ProcedureDesignator>(call.t).u);
    if (!callee || !callee->symbol)
      return;
    if (isAt(callee->source, unresolved))
      if (std::vector<std::string> dummies = optionalAtNulls(
              *callee->symbol,
              std::get<std::list<parser::ActualArgSpec>>(call.t));
          !dummies.empty())
        add(StandardForms::Absent, callee->source, callee->source).dummies =
            dummies;
    if (procedures.empty())
      return;
    std::size_t position = 0;
    for (const auto &spec :
         std::get<std::list<parser::ActualArgSpec>>(call.t)) {
      const auto &keyword = std::get<std::optional<parser::Keyword>>(spec.t);
      const auto *value = std::get_if<common::Indirection<parser::Expr>>(
          &std::get<parser::ActualArg>(spec.t).u);
      const parser::Name *name = value ? nameAlone(value->value()) : nullptr;
      if (name && isAt(name->source, procedures) &&
          takesFunctionAddress(callee->symbol->GetUltimate(),
                               keyword ? &keyword->v : nullptr, position))
        add(StandardForms::FunctionAddress, name->source, name->source);
      ++position;
    }
  }

  void Post(const parser::CallStmt &call) {
    for (const parser::ActualArgSpec &spec :
         std::get<std::list<parser::ActualArgSpec>>(call.call.t))
      if (const auto *value = std::get_if<common::Indirection<parser::Expr>>(
              &std::get<parser::ActualArg>(spec.t).u);
          value && isAt(value->value().source, otherKinds))
        add(StandardForms::DefaultKind, value->value().source,
            value->value().source);
  }

  void Post(const parser::Expr &expression) {
    if (!comparisons.empty() &&
        (std::holds_alternative<parser::Expr::EQ>(expression.u) ||
         std::holds_alternative<parser::Expr::NE>(expression.u)) &&
        isAt(expression.source, comparisons))
      add(StandardForms::Equivalence, expression.source, expression.source);
    if (const parser::Name *name = nameAlone(expression);
        name && !withoutParentheses.empty() &&
        isAt(name->source, withoutParentheses) && isOfModule(*name))
      add(StandardForms::Reference, name->source, name->source);
  }

  void Post(const ImpliedBounds &bounds) {
    for (const parser::Expr *bound : boundsOf(bounds))
      if (isAt(bound->source, noIntegers))
        add(StandardForms::RealBound, bound->source, bound->source);
  }

  void Post(const parser::EntityDecl &entity) {
    const auto &array = std::get<std::optional<parser::ArraySpec>>(entity.t);
    if (!localExtents.empty() && array)
      findLocalExtent(*array, entity);
  }

  void Post(const parser::TypeDeclarationStmt &statement) {
    if (localExtents.empty())
      return;
    // The extents are those of all that have none of their own.
    const auto &entities = std::get<std::list<parser::EntityDecl>>(statement.t);
    auto isOther = [](const parser::EntityDecl &entity) {
      const semantics::Symbol *symbol = nameOf(entity).symbol;
      return !std::get<std::optional<parser::ArraySpec>>(entity.t) &&
             !(symbol && semantics::IsDummy(*symbol));
    };
    for (const auto &attribute :
         std::get<std::list<parser::AttrSpec>>(statement.t))
      if (const auto *array = std::get_if<parser::ArraySpec>(&attribute.u);
          array && llvm::none_of(entities, isOther))
        for (const parser::EntityDecl &entity : entities)
          if (!std::get<std::optional<parser::ArraySpec>>(entity.t))
            findLocalExtent(*array, entity);
  }

  void Post(const parser::ProcedureStmt &statement) {
    for (const parser::Name &name :
         std::get<std::list<parser::Name>>(statement.t))
      if (isAt(name.source, noModuleProcedures))
        noteSpecifics(
            add(StandardForms::AnyProcedure, name.source, name.source), name);
  }

  void Post(const parser::Name &name) {
    if (!undeclared.empty() && isAt(name.source, undeclared))
      undeclaredNames.push_back(name.source);
    if (!shapeless.empty() && name.symbol)
      (isAt(name.source, shapeless) ? declared : used).insert(name.symbol);
  }

  void Post(const parser::UseStmt &use) {
    for (const auto &[place, name] : taken)
      if (isAt(use.moduleName.source, {place}))
        hideTaken(use.moduleName, name);
    for (const HiddenKernel &kernel : hiddenKernels)
      if (std::holds_alternative<std::list<parser::Only>>(use.u) &&
          kernel.module == use.moduleName.source &&
          &semantics.FindScope(use.moduleName.source) == kernel.user)
        found |=
            add(StandardForms::Imported, use.moduleName.source, kernel.place)
                .others.insert({kernel.name, {kernel.name, kernel.place}})
                .second;
  }

  void Post(const parser::InterfaceBody &body) {
    withParts(body, [&](const parser::Name &name, const auto &,
                        parser::CharBlock text) {
      const parser::ProvenanceRange all = rangeOf(text);
      if (llvm::any_of(unknown, [&](const parser::ProvenanceRange &place) {
            return all.Contains(place);
          }))
        for (parser::CharBlock hosts : hostNames(body, text, semantics))
          add(StandardForms::FromHost, name.source, hosts)
              .others.insert({hosts.ToString(), {"", rangeOf(hosts)}});
    });
  }

  void Post(const parser::SpecificationPart &part) {
    if (!ambiguous.empty())
      findHidden(std::get<Uses>(part.t));
    if (!undeclaredNames.empty())
      findLater(std::get<Declarations>(part.t));
  }

private:
  using Places = std::vector<parser::ProvenanceRange>;

  void findLocalExtent(const parser::ArraySpec &array,
                       const parser::EntityDecl &entity) {
    const parser::Name &name = nameOf(entity);
    const auto *extents =
        std::get_if<std::list<parser::ExplicitShapeSpec>>(&array.u);
    if (!extents || !name.symbol || !semantics::IsDummy(*name.symbol) ||
        !isAt(name.source, localExtents))
      return;
    // The last extent is the only one that the place of no element depends on.
    std::set<std::string> others;
    for (const parser::ExplicitShapeSpec &extent : *extents) {
      if (const auto &lower = std::get<0>(extent.t))
        collectNames(*lower, others);
      if (&extent != &extents->back())
        collectNames(std::get<1>(extent.t), others);
    }
    std::set<std::string> last;
    collectNames(std::get<1>(extents->back().t), last);
    for (const std::string &local : localNames)
      if (last.count(local) && !others.count(local))
        add(StandardForms::AssumedSize, name.source, name.source).name = local;
  }

  void note(const parser::Message &message) {
    auto place = message.GetProvenanceRange(sources);
    if (!place)
      return;
    const std::string text = message.ToString();
    llvm::StringRef name = text;
    if (text == "Values in array constructor must have the same declared type "
                "when no explicit type appears")
      constructors.push_back(*place);
    else if (text == "Argument of ALLOCATED() must be an ALLOCATABLE object or "
                     "component")
      allocated.push_back(*place);
    else if (name.starts_with(
                 "Actual argument for 'i=' has bad type 'LOGICAL("))
      negated.push_back(*place);
    else if (name.starts_with("Actual argument for 'status=' has bad type or "
                              "kind 'INTEGER(") ||
             name.starts_with("Actual argument for 'seconds=' has bad type or "
                              "kind 'INTEGER("))
      otherKinds.push_back(*place);
    else if (name.starts_with("Array '") &&
             name.ends_with("' without ALLOCATABLE or POINTER attribute must "
                            "have explicit shape"))
      shapeless.push_back(*place);
    else if (const std::string kernel = cufort::launchedAt(*place);
             !kernel.empty())
      noteLaunch(message, *place, kernel);
    else if (name.starts_with("Must have INTEGER type, but is REAL("))
      noIntegers.push_back(*place);
    else if (name.starts_with("No specific function of generic '") ||
             name.starts_with("No specific subroutine of generic '"))
      unresolved.push_back(*place);
    else if (text == "Must be a constant value" ||
             name.starts_with("Derived type '"))
      unknown.push_back(*place);
    else if (name.starts_with("Actual argument '") &&
             name.ends_with(" is not a variable or typed expression"))
      procedures.push_back(*place);
    else if (text == "Function call must have argument list" ||
             text == "Output item must not be a procedure")
      withoutParentheses.push_back(*place);
    else if (text == "LOGICAL operands must be compared using .EQV. or .NEQV.")
      comparisons.push_back(*place);
    else if (name.consume_front("Reference to '") &&
             name.consume_back("' is ambiguous"))
      ambiguous.insert(name.str());
    else if (name.consume_front("Cannot use-associate '") &&
             name.consume_back("'; it is already declared in this scope"))
      taken.push_back({*place, name.str()});
    else if (name.consume_front("'") &&
             name.consume_back("' is already declared in this scoping unit"))
      noteTaken(message, name.str());
    else if (name.starts_with("No explicit type declared for '"))
      undeclared.push_back(*place);
    else if (name.ends_with("' is not a module procedure"))
      noModuleProcedures.push_back(*place);
    else if (name.consume_front("Invalid specification expression: reference "
                                "to local entity '") &&
             name.consume_back("'")) {
      localExtents.push_back(*place);
      localNames.insert(name.str());
    } else if (name.ends_with(" is not definable"))
      noteIntent(message, *place);
  }

  /// The same of an interface body: a note is at the USE statement.
  void noteTaken(const parser::Message &message, const std::string &name) {
    for (auto each = message.attachment(); each; each = each->attachment())
      if (llvm::StringRef(each->ToString())
              .starts_with("It is use-associated with '"))
        if (auto place = each->GetProvenanceRange(sources))
          taken.push_back({*place, name});
  }

  /// A kernel that a module of this scope's USE statements has, and that is not
  /// among the names after ONLY.
  void noteLaunch(const parser::Message &message,
                  const parser::ProvenanceRange &place,
                  const std::string &kernel) {
    cufort::ModuleKernel found = cufort::moduleOfKernel(message, kernel);
    if (found.module)
      hiddenKernels.push_back(
          {found.module->symbol()->name(), kernel, place, found.user});
  }

  void noteIntent(const parser::Message &message,
                  const parser::ProvenanceRange &place) {
    for (auto each = message.attachment(); each; each = each->attachment()) {
      const std::string reason = each->ToString();
      llvm::StringRef name = reason;
      name.consume_front("because: ");
      if (!name.consume_front("'") ||
          !name.consume_back("' is an INTENT(IN) dummy argument"))
        continue;
      const semantics::Symbol *symbol = cufort::symbolAt(message, name);
      if (!symbol || semantics::IsPureProcedure(symbol->owner()))
        return;
      add(StandardForms::NoIntent, symbol->name(), place);
      return;
    }
  }

  /// The names of a module that a renaming gives to something else in it.
  void findHidden(const Uses &uses) {
    for (const auto &renaming : uses)
      for (const auto *names : renamings(renaming.statement.value())) {
        const std::string local = std::get<0>(*names).ToString();
        const parser::UseStmt &use = renaming.statement.value();
        if (!ambiguous.count(local) ||
            std::get<1>(*names).ToString() == local ||
            !hasName(semantics, use.moduleName, local))
          continue;
        // The name itself comes by this statement, or by another one.
        for (const auto &other : uses)
          if (const parser::UseStmt &all = other.statement.value();
              std::holds_alternative<std::list<parser::Rename>>(all.u) &&
              all.moduleName.source == use.moduleName.source)
            hide(all.moduleName, std::get<0>(*names));
      }
  }

  void hide(const parser::Name &module, const parser::Name &renamed) {
    const std::string name = renamed.ToString();
    StandardForms::Form &form =
        add(StandardForms::Hidden, module.source, renamed.source);
    found |=
        form.others.insert({name, {"_hidden_" + name, rangeOf(renamed.source)}})
            .second;
  }

  /// A generic name stands for all that it has.
  void noteSpecifics(StandardForms::Form &form, const parser::Name &name) {
    const semantics::Symbol *symbol =
        semantics.FindScope(name.source).FindSymbol(name.source);
    const auto *generic =
        symbol ? symbol->GetUltimate().detailsIf<semantics::GenericDetails>()
               : nullptr;
    if (!generic)
      return;
    for (const semantics::Symbol &specific : generic->specificProcs())
      if (specific.name() != name.source)
        form.others.insert(
            {specific.name().ToString(), {specific.name().ToString(), {}}});
  }

  /// A name of a module that comes with the compiler, and that the program
  /// declares itself: it may be older than the module's.
  void hideTaken(const parser::Name &module, const std::string &name) {
    const auto &ours = semantics.intrinsicModulesScope();
    const auto &theirs = semantics.globalScope();
    if (ours.find(module.source) == ours.end() ||
        theirs.find(module.source) != theirs.end())
      return;
    StandardForms::Form &form =
        add(StandardForms::Hidden, module.source, module.source);
    found |= form.others
                 .insert({name,
                          {"_hidden_" + name, rangeOf(module.source),
                           /*byDeclaration=*/true}})
                 .second;
  }

  /// Names in declarations that come before their own.
  void findLater(const Declarations &declarations) {
    for (auto use = declarations.begin(); use != declarations.end(); ++use) {
      const Declaration *statement = typeDeclaration(*use);
      for (parser::CharBlock name : undeclaredNames) {
        if (!statement || !statement->source.Contains(name))
          continue;
        for (auto later = std::next(use); later != declarations.end();
             ++later) {
          const Declaration *own = typeDeclaration(*later);
          if (!own || llvm::none_of(entitiesOf(*own), [&](const auto &entity) {
                return nameOf(entity).source == name;
              }))
            continue;
          StandardForms::Form &form =
              add(StandardForms::Earlier, own->source, name);
          form.name = name.ToString();
          found |= form.before != statement->source.begin();
          form.before = statement->source.begin();
          break;
        }
      }
    }
  }

  bool isAt(parser::CharBlock source, const Places &places) {
    auto range = sources.GetProvenanceRange(source);
    return range &&
           llvm::any_of(places, [&](const parser::ProvenanceRange &place) {
             return place.start() == range->start();
           });
  }

  StandardForms::Form &add(StandardForms::Kind kind, parser::CharBlock what,
                           const parser::ProvenanceRange &where) {
    auto [form, isNew] =
        forms.insert({{kind, what.begin()}, StandardForms::Form{}});
    if (isNew)
      form->second.where = where;
    found |= isNew;
    return form->second;
  }
  StandardForms::Form &add(StandardForms::Kind kind, parser::CharBlock what,
                           parser::CharBlock where) {
    return add(kind, what, rangeOf(where));
  }

  parser::ProvenanceRange rangeOf(parser::CharBlock source) const {
    return sources.GetProvenanceRange(source).value_or(
        parser::ProvenanceRange{});
  }

  semantics::SemanticsContext &semantics;
  parser::AllCookedSources &sources;
  StandardForms::Forms &forms;
  Places constructors, allocated, negated, comparisons, undeclared,
      localExtents, noModuleProcedures, withoutParentheses, procedures,
      noIntegers, otherKinds, shapeless, unknown, unresolved;
  struct HiddenKernel {
    parser::CharBlock module;
    std::string name;
    parser::ProvenanceRange place;
    const semantics::Scope *user;
  };
  std::vector<HiddenKernel> hiddenKernels;
  std::set<const semantics::Symbol *> declared, used;
  std::vector<std::pair<parser::ProvenanceRange, std::string>> taken;
  std::set<std::string> ambiguous, localNames;
  std::vector<parser::CharBlock> undeclaredNames;
  bool found = false;
};

} // namespace

bool StandardForms::find(const parser::Program &program,
                         semantics::SemanticsContext &semantics) {
  Finder finder(semantics, forms);
  cufort::walk(program, finder);
  return finder.foundAny();
}
