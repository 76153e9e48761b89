//===- OwnBlasNames.cpp - a program's own dgemm, and cublas's -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/modules/OwnBlasNames.h"
#include "compiler/fortran/NodeVisitor.h"
#include "compiler/fortran/modules/ModuleNames.h"
#include "flang/Parser/parse-tree.h"
#include <set>

using namespace Fortran;

namespace {

/// The names that a part of a program declares, without those of inner scopes.
struct Declared {
  using Nodes =
      cufort::NodeList<parser::ExternalStmt, parser::EntityDecl,
                       parser::ProcDecl, parser::DerivedTypeDef,
                       parser::SubroutineStmt, parser::FunctionStmt,
                       parser::SpecificationPart, parser::ExecutionPart,
                       parser::InternalSubprogramPart>;

  void Post(const parser::ExternalStmt &statement) {
    for (const parser::Name &name : statement.v)
      names.insert(name.ToString());
  }
  void Post(const parser::EntityDecl &entity) {
    names.insert(std::get<parser::ObjectName>(entity.t).ToString());
  }
  void Post(const parser::ProcDecl &procedure) {
    names.insert(std::get<parser::Name>(procedure.t).ToString());
  }
  bool Pre(const parser::DerivedTypeDef &) { return false; }
  bool Pre(const parser::SubroutineStmt &statement) {
    names.insert(std::get<parser::Name>(statement.t).ToString());
    return false;
  }
  bool Pre(const parser::FunctionStmt &statement) {
    names.insert(std::get<parser::Name>(statement.t).ToString());
    return false;
  }
  // Their names are in their first statements.
  bool Pre(const parser::SpecificationPart &) { return false; }
  bool Pre(const parser::ExecutionPart &) { return false; }
  bool Pre(const parser::InternalSubprogramPart &) { return false; }

  std::set<std::string> names;
};

class Hider {
public:
  explicit Hider(const std::vector<std::string> &folders)
      : ofModule(folders, "cublas") {}

  using Nodes =
      cufort::NodeList<parser::MainProgram, parser::SubroutineSubprogram,
                       parser::FunctionSubprogram, parser::Module,
                       parser::Submodule>;

  void Post(parser::MainProgram &unit) { hide(unit); }
  void Post(parser::SubroutineSubprogram &unit) { hide(unit); }
  void Post(parser::FunctionSubprogram &unit) { hide(unit); }
  void Post(parser::Module &unit) { hide(unit); }
  void Post(parser::Submodule &unit) { hide(unit); }

private:
  using Renames = std::list<parser::Rename>;

  template <typename Unit> void hide(Unit &unit) {
    auto &part = std::get<parser::SpecificationPart>(unit.t);
    Renames *renames = nullptr;
    for (auto &statement : std::get<std::list<
             parser::Statement<common::Indirection<parser::UseStmt>>>>(part.t))
      if (auto &use = statement.statement.value();
          use.moduleName.ToString() == "cublas")
        renames = std::get_if<Renames>(&use.u);
    if (!renames)
      return;
    Declared declared;
    cufort::walk(std::get<std::list<parser::DeclarationConstruct>>(part.t),
                 declared);
    walkOthers(unit, declared);
    for (const std::string &name : declared.names)
      if (!llvm::StringRef(name).starts_with("cublas") &&
          ofModule.contains(name))
        renames->emplace_back(
            parser::Rename::Names{kept("cufort_" + name), kept(name)});
  }

  void walkOthers(const parser::MainProgram &unit, Declared &declared) {
    walkContained<parser::InternalSubprogramPart, parser::InternalSubprogram>(
        unit, declared);
  }
  void walkOthers(const parser::SubroutineSubprogram &unit,
                  Declared &declared) {
    cufort::walk(
        std::get<parser::Statement<parser::SubroutineStmt>>(unit.t).statement,
        declared);
    walkContained<parser::InternalSubprogramPart, parser::InternalSubprogram>(
        unit, declared);
  }
  void walkOthers(const parser::FunctionSubprogram &unit, Declared &declared) {
    cufort::walk(
        std::get<parser::Statement<parser::FunctionStmt>>(unit.t).statement,
        declared);
    walkContained<parser::InternalSubprogramPart, parser::InternalSubprogram>(
        unit, declared);
  }
  void walkOthers(const parser::Module &unit, Declared &declared) {
    walkContained<parser::ModuleSubprogramPart, parser::ModuleSubprogram>(
        unit, declared);
  }
  void walkOthers(const parser::Submodule &unit, Declared &declared) {
    walkContained<parser::ModuleSubprogramPart, parser::ModuleSubprogram>(
        unit, declared);
  }

  template <typename Part, typename Contained, typename Unit>
  void walkContained(const Unit &unit, Declared &declared) {
    if (const auto &part = std::get<std::optional<Part>>(unit.t))
      cufort::walk(std::get<std::list<Contained>>(part->t), declared);
  }

  /// Names of the parse tree point to text that outlives it.
  static parser::Name kept(const std::string &text) {
    static std::set<std::string> texts;
    const std::string &one = *texts.insert(text).first;
    return parser::Name{parser::CharBlock(one)};
  }

  cufort::ModuleNames ofModule;
};

} // namespace

void cufort::hideOwnBlasNames(parser::Program &program,
                              const std::vector<std::string> &moduleFolders) {
  Hider hider(moduleFolders);
  cufort::walk(program, hider);
}
