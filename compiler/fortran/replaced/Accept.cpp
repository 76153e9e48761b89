//===- Accept.cpp - errors that are warnings here -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the standard forbids, other compilers accept, and the lowering takes as
// it is: formats and bounds that matter only where the statement is executed,
// dummy arguments that are larger than what they get as long as nothing beyond
// is touched, words that are said twice. Each keeps Flang's words, which name
// the rule. What has to become something else first is StandardForms' matter.
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/replaced/Replaced.h"
#include "flang/Frontend/CompilerInstance.h"
#include "flang/Parser/message.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "flang/Semantics/type.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace Fortran;
using namespace Fortran::parser::literals;

namespace {

/// A message by the text around the names and numbers in it.
struct Accepted {
  llvm::StringRef start, middle, end;
};

} // namespace

static constexpr Accepted table[] = {
    // The elements that are there can be used.
    {"Actual argument array has fewer elements (", ") than ", ")"},
    {"Actual argument array has fewer characters (", ") than ", ")"},
    {"Actual argument has fewer elements remaining in storage sequence (",
     ") than ", ")"},
    {"Actual argument has fewer characters remaining in storage sequence (",
     ") than ", ")"},
    {"Whole scalar actual argument may not be associated with a ",
     "dummy argument '", "' array"},
    // The statement may not be executed.
    {"subscript ", " is greater than upper bound ", " of array"},
    {"subscript ", " is less than lower bound ", " of array"},
    {"Subscript value (", ") is out of range on dimension ",
     " in reference to a constant array value"},
    // It becomes one (ImpliedTargets).
    {"In assignment to object pointer '", "', the target '",
     "' is not an object with POINTER or TARGET attributes"},
    // A caller cannot tell how the result's dynamic type ends; pure procedures
    // keep their other promises.
    {"Result of pure function may not be both polymorphic and ALLOCATABLE", "",
     ""},
    // The same is said twice.
    {"More than one IMPLICIT NONE statement", "", ""},
    {"The default accessibility of this module has already been declared", "",
     ""},
    // The interface is what it would be without.
    {"END INTERFACE generic name (", ") may not appear for ", "INTERFACE"},
};

/// Whether \p text is about a constant format; the run-time library says the
/// same where the statement is executed.
static bool isAboutFormat(llvm::StringRef text) {
  static constexpr llvm::StringRef parts[] = {
      " format expression",    "Format expression ",
      "Unterminated string",   "Unexpected integer constant",
      " edit descriptor",      "nlimited format item list",
      "List repeat specifier "};
  return llvm::any_of(
      parts, [&](llvm::StringRef part) { return text.contains(part); });
}

static bool isWithin(const semantics::DerivedTypeSpec &type,
                     const semantics::DerivedTypeSpec &base) {
  for (const semantics::Scope *scope = type.typeSymbol().scope(); scope;
       scope = scope->GetDerivedTypeParent())
    if (scope->symbol() == &base.typeSymbol())
      return true;
  return false;
}

/// Whether an argument of the \p own type lies as one of the \p inherited one.
static bool hasSameForm(const semantics::Symbol &own,
                        const semantics::Symbol &inherited) {
  const semantics::DeclTypeSpec *type = own.GetType();
  const semantics::DeclTypeSpec *other = inherited.GetType();
  if (!type || !other || own.Rank() != inherited.Rank() ||
      semantics::IsPointer(own) != semantics::IsPointer(inherited) ||
      semantics::IsAllocatable(own) != semantics::IsAllocatable(inherited))
    return false;
  // TYPE and CLASS are the same descriptor where there is one anyway.
  if (type->category() != other->category() && !semantics::IsPointer(own) &&
      !semantics::IsAllocatable(own))
    return false;
  const semantics::DerivedTypeSpec *derived = type->AsDerived();
  const semantics::DerivedTypeSpec *base = other->AsDerived();
  if (!derived || !base)
    return *type == *other;
  return isWithin(*derived, *base);
}

/// The binding whose name stands at \p place, in the types within \p scope.
static const semantics::Symbol *bindingAt(const parser::ProvenanceRange &place,
                                          const semantics::Scope &scope) {
  if (scope.IsDerivedType())
    for (const auto &[name, symbol] : scope)
      if (auto range = cufort::analysedInstance()
                           ->getAllCookedSources()
                           .GetProvenanceRange(symbol->name());
          range && range->start() == place.start() &&
          symbol->has<semantics::ProcBindingDetails>())
        return &*symbol;
  for (const semantics::Scope &inner : scope.children())
    if (const semantics::Symbol *found = bindingAt(place, inner))
      return found;
  return nullptr;
}

/// The procedure that the type-bound \p binding stands for, if it has one.
static const semantics::SubprogramDetails *
procedureOf(const semantics::Symbol *binding) {
  const auto *details =
      binding ? binding->detailsIf<semantics::ProcBindingDetails>() : nullptr;
  return details ? details->symbol()
                       .GetUltimate()
                       .detailsIf<semantics::SubprogramDetails>()
                 : nullptr;
}

/// Whether the override that \p message is about differs from what it overrides
/// only by dummy arguments of extended types: what such a call gives it is what
/// it takes, if the program is right.
static bool isExtendedOverride(const parser::Message &message,
                               llvm::StringRef text) {
  if (text !=
      "A type-bound procedure and its override must have compatible interfaces")
    return false;
  frontend::CompilerInstance &instance = *cufort::analysedInstance();
  auto place = message.GetProvenanceRange(instance.getAllCookedSources());
  const semantics::Symbol *binding =
      place ? bindingAt(*place, instance.getSemanticsContext().globalScope())
            : nullptr;
  const semantics::Scope *parent =
      binding ? binding->owner().GetDerivedTypeParent() : nullptr;
  const semantics::SubprogramDetails *own = procedureOf(binding);
  const semantics::SubprogramDetails *inherited =
      parent ? procedureOf(parent->FindComponent(binding->name())) : nullptr;
  if (!own || !inherited || own->isFunction() != inherited->isFunction() ||
      own->dummyArgs().size() != inherited->dummyArgs().size())
    return false;
  if (own->isFunction() &&
      (!hasSameForm(own->result(), inherited->result()) ||
       *own->result().GetType() != *inherited->result().GetType()))
    return false;
  for (auto [dummy, other] :
       llvm::zip(own->dummyArgs(), inherited->dummyArgs()))
    if (!dummy || !other || !hasSameForm(*dummy, *other))
      return false;
  return true;
}

/// Whether \p message is about an argument that the procedure may change and
/// that is no variable: what it gets is a copy.
static bool isCopy(const parser::Message &message, llvm::StringRef text) {
  if (!text.starts_with("Actual argument associated with INTENT(") ||
      !text.ends_with(" is not definable"))
    return false;
  for (auto each = message.attachment(); each; each = each->attachment())
    if (llvm::StringRef(each->ToString())
            .ends_with("' is not a variable or pointer"))
      return true;
  return false;
}

/// Whether \p message is about what a pure procedure changes outside of itself,
/// or what a finaliser might when its own polymorphic variable ends: it does
/// when it is called.
static bool isEffectOfPure(const parser::Message &message,
                           llvm::StringRef text) {
  if (!text.ends_with(" is not definable") &&
      !text.ends_with("' may not be a local variable in a pure subprogram"))
    return false;
  for (auto each = message.attachment(); each; each = each->attachment()) {
    const std::string reason = each->ToString();
    if (llvm::StringRef(reason).contains(
            "' may not be defined in pure subprogram '") ||
        llvm::StringRef(reason).ends_with(
            "' is a whole polymorphic object in a pure subprogram"))
      return true;
  }
  return false;
}

void cufort::accept(parser::Message &message) {
  if (!message.IsFatal() || !analysedInstance())
    return;
  const std::string whole = message.ToString();
  const llvm::StringRef text = whole;
  if (llvm::any_of(table,
                   [&](const Accepted &each) {
                     return text.starts_with(each.start) &&
                            text.contains(each.middle) &&
                            text.ends_with(each.end);
                   }) ||
      isAboutFormat(text) || isCopy(message, text) ||
      isEffectOfPure(message, text) || isExtendedOverride(message, text))
    message.set_severity(parser::Severity::Warning);
}
