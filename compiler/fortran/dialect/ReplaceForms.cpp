//===- ReplaceForms.cpp - standard forms in the place of others -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/NodeVisitor.h"
#include "compiler/fortran/dialect/FormPlaces.h"
#include "compiler/fortran/dialect/StandardForms.h"
#include "flang/Parser/message.h"
#include "flang/Parser/parse-tree.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

using namespace Fortran;
using namespace parser::literals;
using namespace cufort::forms;
using cufort::StandardForms;

namespace {

class Replacer {
public:
  Replacer(const StandardForms::Forms &forms, parser::Messages &messages)
      : forms(forms), messages(messages) {}

  using Nodes =
      cufort::NodeList<parser::ArrayConstructor, parser::FunctionReference,
                       parser::Expr, parser::UseStmt, parser::SpecificationPart,
                       parser::EntityDecl, parser::TypeDeclarationStmt,
                       parser::ProcedureStmt, parser::CallStmt, parser::Call,
                       parser::InterfaceBody, ImpliedBounds>;

  void Post(parser::ArrayConstructor &constructor) {
    const std::vector<const parser::Expr *> values = untypedValues(constructor);
    const StandardForms::Form *form =
        values.empty()
            ? nullptr
            : at(StandardForms::TypedConstructor, values.front()->source);
    if (!form)
      return;
    using Intrinsic = parser::IntrinsicTypeSpec;
    auto size = [](unsigned bytes) {
      return std::optional<parser::KindSelector>{
          parser::KindSelector{parser::KindSelector::StarSize{bytes}}};
    };
    Intrinsic type = form->type == "integer"
                         ? Intrinsic{parser::IntegerTypeSpec{size(form->kind)}}
                     : form->type == "real"
                         ? Intrinsic{Intrinsic::Real{size(form->kind)}}
                         : Intrinsic{Intrinsic::Complex{size(2 * form->kind)}};
    std::get<std::optional<parser::TypeSpec>>(constructor.v.t) =
        parser::TypeSpec{std::move(type)};
    messages.Say(
        form->where,
        "the values of an array constructor must have one type; all are converted to that of the first, %s(%d): to choose the type, write it before the values, [real(8) :: 1, 2.5d0]"_warn_en_US,
        llvm::StringRef(form->type).upper(), static_cast<int>(form->kind));
  }

  void Post(parser::FunctionReference &function) {
    static constexpr char associated[] = "associated";
    auto *name = std::get_if<parser::Name>(
        &std::get<parser::ProcedureDesignator>(function.v.t).u);
    const StandardForms::Form *form =
        name ? at(StandardForms::Associated, name->source) : nullptr;
    if (!form)
      return;
    name->source = parser::CharBlock(associated, sizeof associated - 1);
    messages.Say(
        form->where,
        "ALLOCATED() is for ALLOCATABLE variables; for a pointer, ASSOCIATED() is used"_warn_en_US);
  }

  void Post(parser::Expr &expression) {
    if (auto *call =
            std::get_if<common::Indirection<parser::FunctionReference>>(
                &expression.u))
      replaceNegation(expression, call->value());
    addParentheses(expression);
    passAddress(expression);
    const StandardForms::Form *form =
        at(StandardForms::Equivalence, expression.source);
    auto *equal = std::get_if<parser::Expr::EQ>(&expression.u);
    auto *unequal = std::get_if<parser::Expr::NE>(&expression.u);
    if (!form || (!equal && !unequal))
      return;
    if (equal)
      expression.u = replaced<parser::Expr::EQV>(*equal);
    else
      expression.u = replaced<parser::Expr::NEQV>(*unequal);
    messages.Say(
        form->where,
        "logical values are compared with .EQV. and .NEQV., which are used here for == and /="_warn_en_US);
  }

  void Post(ImpliedBounds &bounds) {
    static constexpr char truncation[] = "int";
    auto truncate = [&](parser::ScalarIntExpr &bound) {
      parser::Expr &value = bound.thing.thing.value();
      const StandardForms::Form *form =
          at(StandardForms::RealBound, value.source);
      if (!form)
        return;
      callWith(value, truncation, value.source);
      messages.Say(
          form->where,
          "a bound of an implied DO loop is an integer; INT() of this one is used"_warn_en_US);
    };
    truncate(bounds.lower);
    truncate(bounds.upper);
    if (bounds.step)
      truncate(*bounds.step);
  }

  void Post(parser::CallStmt &call) {
    static constexpr char conversion[] = "int";
    for (parser::ActualArgSpec &spec :
         std::get<std::list<parser::ActualArgSpec>>(call.call.t)) {
      auto *value = std::get_if<common::Indirection<parser::Expr>>(
          &std::get<parser::ActualArg>(spec.t).u);
      const StandardForms::Form *form =
          value ? at(StandardForms::DefaultKind, value->value().source)
                : nullptr;
      if (!form)
        continue;
      callWith(value->value(), conversion, value->value().source);
      messages.Say(
          form->where,
          "this argument is an integer of default kind; INT() of this one is passed"_warn_en_US);
    }
  }

  /// Arguments of optional dummies are absent; those that follow are named.
  void Post(parser::Call &call) {
    const auto *callee = std::get_if<parser::Name>(
        &std::get<parser::ProcedureDesignator>(call.t).u);
    const StandardForms::Form *form =
        callee ? at(StandardForms::Absent, callee->source) : nullptr;
    if (!form)
      return;
    auto &arguments = std::get<std::list<parser::ActualArgSpec>>(call.t);
    std::size_t position = 0;
    bool isAbsent = false;
    for (auto spec = arguments.begin(); spec != arguments.end(); ++position) {
      if (isNull(*spec)) {
        isAbsent = true;
        spec = arguments.erase(spec);
        continue;
      }
      auto &keyword = std::get<std::optional<parser::Keyword>>(spec->t);
      if (isAbsent && !keyword)
        keyword = parser::Keyword{
            parser::Name{parser::CharBlock(form->dummies[position])}};
      ++spec;
    }
  }

  void Post(parser::UseStmt &use) {
    import(use);
    const StandardForms::Form *form =
        at(StandardForms::Hidden, use.moduleName.source);
    auto *renames = std::get_if<std::list<parser::Rename>>(&use.u);
    if (!form || !renames)
      return;
    for (const auto &[name, other] : form->others) {
      renames->emplace_back(
          parser::Rename::Names{parser::Name{parser::CharBlock(other.name)},
                                parser::Name{parser::CharBlock(name)}});
      messages.Say(
          other.where,
          other.byDeclaration
              ? "module '%s' also has a name '%s', which the declaration in this scope hides"_warn_en_US
              : "module '%s' also has a name '%s', which this renaming hides"_warn_en_US,
          use.moduleName.source, name);
    }
  }

  bool Pre(parser::SpecificationPart &part) {
    auto &declarations = std::get<Declarations>(part.t);
    for (auto later = declarations.begin(); later != declarations.end();) {
      auto next = std::next(later);
      const Declaration *own = typeDeclaration(*later);
      const StandardForms::Form *form =
          own ? at(StandardForms::Earlier, own->source) : nullptr;
      auto use = !form ? declarations.end()
                       : llvm::find_if(declarations, [&](const auto &one) {
                           const Declaration *statement = typeDeclaration(one);
                           return statement &&
                                  statement->source.begin() == form->before;
                         });
      if (use != declarations.end()) {
        messages.Say(
            form->where,
            "'%s' is declared further down; a declaration has to come before its use"_warn_en_US,
            form->name);
        declarations.splice(use, declarations, later);
      }
      later = next;
    }
    return true;
  }

  void Post(parser::InterfaceBody &body) {
    withParts(body, [&](const parser::Name &procedure,
                        parser::SpecificationPart &part, parser::CharBlock) {
      const StandardForms::Form *form =
          at(StandardForms::FromHost, procedure.source);
      if (!form)
        return;
      std::list<parser::Name> names;
      for (const auto &[name, place] : form->others) {
        names.push_back(parser::Name{parser::CharBlock(name)});
        messages.Say(
            place.where,
            "'%s' is a name of the host scope, which an interface body sees only by IMPORT; it is imported"_warn_en_US,
            name);
      }
      std::get<Imports>(part.t).push_back(
          {std::nullopt, parser::ImportStmt{std::move(names)}});
    });
  }

  void Post(parser::EntityDecl &entity) {
    if (auto &array = std::get<std::optional<parser::ArraySpec>>(entity.t))
      if (assumeSize(*array, entity))
        sayAssumed(entity);
  }

  void Post(parser::TypeDeclarationStmt &statement) {
    const auto &entities = std::get<std::list<parser::EntityDecl>>(statement.t);
    auto hasOwn = [](const parser::EntityDecl &entity) {
      return std::get<std::optional<parser::ArraySpec>>(entity.t).has_value();
    };
    for (auto &attribute : std::get<std::list<parser::AttrSpec>>(statement.t)) {
      auto *array = std::get_if<parser::ArraySpec>(&attribute.u);
      auto first = llvm::find_if_not(entities, hasOwn);
      if (!array || first == entities.end() || !assumeSize(*array, *first))
        continue;
      for (const parser::EntityDecl &entity : entities)
        if (!hasOwn(entity))
          sayAssumed(entity);
    }
    std::get<std::list<parser::EntityDecl>>(statement.t)
        .remove_if([&](const parser::EntityDecl &entity) {
          const StandardForms::Form *form =
              at(StandardForms::Unused, nameOf(entity).source);
          if (form)
            messages.Say(
                form->where,
                "'%s' has no shape and is neither ALLOCATABLE nor POINTER; its declaration is ignored, as nothing uses it"_warn_en_US,
                nameOf(entity).source);
          return form != nullptr;
        });
    for (const auto &entity :
         std::get<std::list<parser::EntityDecl>>(statement.t))
      if (const StandardForms::Form *form =
              at(StandardForms::NoIntent, nameOf(entity).source)) {
        std::get<std::list<parser::AttrSpec>>(statement.t)
            .remove_if([](const parser::AttrSpec &attribute) {
              return std::holds_alternative<parser::IntentSpec>(attribute.u);
            });
        messages.Say(
            form->where,
            "'%s' is INTENT(IN) and may not change; its INTENT is ignored"_warn_en_US,
            nameOf(entity).source);
      }
  }

  void Post(parser::ProcedureStmt &statement) {
    auto &names = std::get<std::list<parser::Name>>(statement.t);
    std::list<parser::Name> more;
    for (const parser::Name &name : names)
      if (const StandardForms::Form *form =
              at(StandardForms::AnyProcedure, name.source)) {
        std::get<parser::ProcedureStmt::Kind>(statement.t) =
            parser::ProcedureStmt::Kind::Procedure;
        messages.Say(
            form->where,
            "MODULE PROCEDURE is for procedures of modules; '%s' has an interface block, so PROCEDURE is used"_warn_en_US,
            name.source);
        for (const auto &[other, unused] : form->others)
          more.push_back(parser::Name{parser::CharBlock(other)});
      }
    names.splice(names.end(), more);
  }

private:
  /// Adds to ONLY the kernels that are launched without being there.
  void import(parser::UseStmt &use) {
    const StandardForms::Form *form =
        at(StandardForms::Imported, use.moduleName.source);
    auto *names = std::get_if<std::list<parser::Only>>(&use.u);
    if (!form || !names)
      return;
    for (const auto &[name, kernel] : form->others) {
      names->emplace_back(parser::Name{parser::CharBlock(name)});
      messages.Say(
          kernel.where,
          "'%s' is not among the names that this scope uses from module '%s'; the module's kernel is used: add it to ONLY"_warn_en_US,
          name, use.moduleName.source);
    }
  }

  void replaceNegation(parser::Expr &expression,
                       parser::FunctionReference &function) {
    auto *name = std::get_if<parser::Name>(
        &std::get<parser::ProcedureDesignator>(function.v.t).u);
    const StandardForms::Form *form =
        name ? at(StandardForms::Negation, name->source) : nullptr;
    if (!form)
      return;
    auto &arguments = std::get<std::list<parser::ActualArgSpec>>(function.v.t);
    parser::Expr::NOT negation{
        std::move(std::get<common::Indirection<parser::Expr>>(
            std::get<parser::ActualArg>(arguments.front().t).u))};
    expression.u = std::move(negation);
    messages.Say(
        form->where,
        "NOT() is for the bits of integers; for a logical value, .NOT. is used"_warn_en_US);
  }

  void addParentheses(parser::Expr &expression) {
    const parser::Name *name = nameAlone(expression);
    const StandardForms::Form *form =
        name ? at(StandardForms::Reference, name->source) : nullptr;
    if (!form)
      return;
    messages.Say(
        form->where,
        "a reference to a function needs parentheses: '%s()'"_warn_en_US,
        name->source);
    parser::FunctionReference reference{
        parser::Call{parser::ProcedureDesignator{parser::Name{*name}},
                     std::list<parser::ActualArgSpec>{}}};
    reference.source = name->source;
    expression.u =
        common::Indirection<parser::FunctionReference>{std::move(reference)};
  }

  /// IGNORE_TKR lets a procedure stand for its address.
  void passAddress(parser::Expr &expression) {
    static constexpr char address[] =
        "loc"; // AddressArguments makes it a record
    const parser::Name *name = nameAlone(expression);
    if (!name || !at(StandardForms::FunctionAddress, name->source))
      return;
    callWith(expression, address, name->source);
  }

  /// Makes of \p value a call of the intrinsic function \p name with it.
  template <std::size_t size>
  static void callWith(parser::Expr &value, const char (&name)[size],
                       parser::CharBlock source) {
    std::list<parser::ActualArgSpec> arguments;
    parser::Expr argument{std::move(value.u)};
    argument.source = source;
    arguments.emplace_back(std::optional<parser::Keyword>{},
                           parser::ActualArg{common::Indirection<parser::Expr>{
                               std::move(argument)}});
    parser::FunctionReference call{
        parser::Call{parser::ProcedureDesignator{
                         parser::Name{parser::CharBlock(name, size - 1)}},
                     std::move(arguments)}};
    call.source = source;
    value.u = common::Indirection<parser::FunctionReference>{std::move(call)};
  }

  /// Whether the last extent of \p array, that of \p entity, is now *.
  bool assumeSize(parser::ArraySpec &array, const parser::EntityDecl &entity) {
    auto *extents = std::get_if<std::list<parser::ExplicitShapeSpec>>(&array.u);
    if (!extents || !at(StandardForms::AssumedSize, nameOf(entity).source))
      return false;
    parser::AssumedImpliedSpec last{std::move(
        std::get<std::optional<parser::SpecificationExpr>>(extents->back().t))};
    std::list<parser::ExplicitShapeSpec> others = std::move(*extents);
    others.pop_back();
    if (others.empty()) {
      std::list<parser::AssumedImpliedSpec> only;
      only.push_back(std::move(last));
      array = parser::ArraySpec{parser::ImpliedShapeSpec{std::move(only)}};
    } else {
      array = parser::ArraySpec{
          parser::AssumedSizeSpec{std::move(others), std::move(last)}};
    }
    return true;
  }

  void sayAssumed(const parser::EntityDecl &entity) {
    if (const StandardForms::Form *form =
            at(StandardForms::AssumedSize, nameOf(entity).source))
      messages.Say(
          form->where,
          "the last extent of '%s' is the local variable '%s', which has no value when the procedure begins; the array is treated as one of assumed size: write * for that extent"_warn_en_US,
          nameOf(entity).source, form->name);
  }

  const StandardForms::Form *at(StandardForms::Kind kind,
                                parser::CharBlock what) const {
    auto found = forms.find({kind, what.begin()});
    return found == forms.end() ? nullptr : &found->second;
  }

  template <typename Other, typename Comparison>
  static Other replaced(Comparison &comparison) {
    return Other{std::move(std::get<0>(comparison.t)),
                 std::move(std::get<1>(comparison.t))};
  }

  const StandardForms::Forms &forms;
  parser::Messages &messages;
};

} // namespace

void StandardForms::replace(parser::Program &program,
                            parser::Messages &messages) const {
  if (forms.empty())
    return;
  Replacer replacer(forms, messages);
  cufort::walk(program, replacer);
}
