//===- Textures.cpp - data that is only read ------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/dialect/Textures.h"
#include "compiler/fortran/NodeVisitor.h"
#include "compiler/fortran/TypedExpressions.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/provenance.h"
#include "flang/Parser/tools.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace Fortran;
using namespace parser::literals;
using common::CUDADataAttr;

namespace {

constexpr char Mark[] = "!texture$ ";

/// The name in a module file: components belong to their type.
std::string markedName(const semantics::Symbol &symbol) {
  std::string name = symbol.name().ToString();
  if (symbol.owner().IsDerivedType() && symbol.owner().GetName())
    name = symbol.owner().GetName()->ToString() + "%" + name;
  return name;
}

class Declarations {
public:
  explicit Declarations(std::vector<const parser::Name *> &declared)
      : declared(declared) {}

  using Nodes =
      cufort::NodeList<parser::ExecutionPart, parser::TypeDeclarationStmt,
                       parser::DataComponentDefStmt,
                       parser::CUDAAttributesStmt>;
  bool Pre(parser::ExecutionPart &) { return false; }

  void Post(parser::TypeDeclarationStmt &statement) {
    if (replace(std::get<std::list<parser::AttrSpec>>(statement.t)))
      for (auto &entity : std::get<std::list<parser::EntityDecl>>(statement.t))
        declared.push_back(&std::get<parser::ObjectName>(entity.t));
  }
  void Post(parser::DataComponentDefStmt &statement) {
    if (replace(std::get<std::list<parser::ComponentAttrSpec>>(statement.t)))
      for (auto &each :
           std::get<std::list<parser::ComponentOrFill>>(statement.t))
        if (auto *component = std::get_if<parser::ComponentDecl>(&each.u))
          declared.push_back(&std::get<parser::Name>(component->t));
  }
  void Post(parser::CUDAAttributesStmt &statement) {
    if (replace(std::get<CUDADataAttr>(statement.t)))
      for (auto &name : std::get<std::list<parser::Name>>(statement.t))
        declared.push_back(&name);
  }

private:
  static bool replace(CUDADataAttr &attribute) {
    if (attribute != CUDADataAttr::Texture)
      return false;
    attribute = CUDADataAttr::Device;
    return true;
  }
  template <typename Attribute>
  static bool replace(std::list<Attribute> &attributes) {
    bool found = false;
    for (Attribute &attribute : attributes)
      if (auto *memory = std::get_if<CUDADataAttr>(&attribute.u))
        found |= replace(*memory);
    return found;
  }

  std::vector<const parser::Name *> &declared;
};

class Check {
public:
  Check(const std::vector<const parser::Name *> &declared,
        semantics::SemanticsContext &semantics, parser::Messages &messages)
      : semantics(semantics), messages(messages) {
    for (const parser::Name *name : declared)
      if (name->symbol)
        textures.insert(name->symbol->GetUltimate());
  }

  using Nodes = cufort::NodeList<parser::AssignmentStmt, parser::InputItem,
                                 parser::CallStmt, parser::Expr>;

  void Post(const parser::AssignmentStmt &statement) {
    if (const auto *assignment = semantics::GetAssignment(statement))
      check(std::get<parser::Variable>(statement.t).GetSource(),
            assignment->lhs);
  }
  void Post(const parser::InputItem &item) {
    if (const auto *variable = std::get_if<parser::Variable>(&item.u))
      if (const auto *expression = semantics::GetExpr(semantics, *variable))
        check(variable->GetSource(), *expression);
  }
  void Post(const parser::CallStmt &call) {
    if (call.typedCall)
      check(call.source, *call.typedCall);
  }
  void Post(const parser::Expr &parsed) {
    if (!std::holds_alternative<common::Indirection<parser::FunctionReference>>(
            parsed.u) ||
        !parsed.typedExpr || !parsed.typedExpr->v)
      return;
    if (const auto *call = cufort::procedureReference(*parsed.typedExpr->v))
      check(parsed.source, *call);
  }

private:
  bool isTexture(const semantics::Symbol &symbol) {
    const semantics::Symbol &ultimate =
        semantics::GetAssociationRoot(symbol).GetUltimate();
    if (!ultimate.test(semantics::Symbol::Flag::ModFile) &&
        textures.count(ultimate))
      return true;
    // Names of other files come from the text of their module files.
    parser::AllCookedSources &cooked = semantics.allCookedSources();
    auto range = cooked.GetProvenanceRange(ultimate.name());
    const parser::SourceFile *file =
        range ? cooked.allSources().GetSourceFile(range->start()) : nullptr;
    if (!file)
      return false;
    llvm::StringRef text(file->content().data(), file->content().size());
    return text.starts_with("!mod$ ") &&
           text.contains("\n" + (Mark + markedName(ultimate)) + "\n");
  }

  void check(parser::CharBlock source,
             const evaluate::Expr<evaluate::SomeType> &written) {
    const auto symbols = cufort::symbolsOf(written);
    if (!symbols)
      return;
    for (const semantics::Symbol &symbol : *symbols)
      if (isTexture(symbol))
        messages.Say(source,
                     "'%s' has ATTRIBUTES(TEXTURE), and textures are only "
                     "read; assign to the device array that it points "
                     "to"_err_en_US,
                     symbol.name());
  }

  void check(parser::CharBlock source, const evaluate::ProcedureRef &call) {
    const semantics::Symbol *procedure = call.proc().GetInterfaceSymbol();
    const auto *details =
        procedure
            ? procedure->GetUltimate().detailsIf<semantics::SubprogramDetails>()
            : nullptr;
    for (size_t i = 0; i < call.arguments().size(); ++i) {
      const auto &actual = call.arguments()[i];
      if (!actual || !actual->UnwrapExpr())
        continue;
      common::Intent intent = actual->dummyIntent();
      if (details && i < details->dummyArgs().size()) {
        const semantics::Symbol *dummy = details->dummyArgs()[i];
        // A pointer gets a target.
        if (!dummy || semantics::IsPointer(*dummy))
          continue;
        intent = semantics::IsIntentOut(*dummy)     ? common::Intent::Out
                 : semantics::IsIntentInOut(*dummy) ? common::Intent::InOut
                                                    : common::Intent::In;
      }
      if (intent == common::Intent::Out || intent == common::Intent::InOut)
        check(source, *actual->UnwrapExpr());
    }
  }

  semantics::SemanticsContext &semantics;
  parser::Messages &messages;
  semantics::UnorderedSymbolSet textures;
};

} // namespace

void cufort::Textures::makeDeviceData(parser::Program &program) {
  Declarations declarations(declared);
  cufort::walk(program, declarations);
}

void cufort::Textures::check(const parser::Program &program,
                             semantics::SemanticsContext &semantics,
                             parser::Messages &messages) const {
  Check check(declared, semantics, messages);
  cufort::walk(program, check);
}

std::vector<std::string>
cufort::Textures::linesOfModule(const semantics::Scope &module) const {
  std::vector<std::string> lines;
  for (const parser::Name *name : declared) {
    if (!name->symbol)
      continue;
    const semantics::Scope &owner = name->symbol->owner();
    if (&owner == &module ||
        (owner.IsDerivedType() && &owner.parent() == &module))
      lines.push_back(Mark + markedName(*name->symbol));
  }
  return lines;
}
