//===- LocalNames.cpp - a program's own names win -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/modules/LocalNames.h"
#include "compiler/fortran/NodeVisitor.h"
#include "compiler/fortran/modules/ModuleNames.h"
#include "flang/Parser/parse-tree.h"

using namespace Fortran;

namespace {

/// Collects what a specification part declares.
struct Declarations {
  using Nodes = cufort::NodeList<parser::DerivedTypeDef, parser::InterfaceBlock,
                                 parser::EntityDecl>;
  bool Pre(parser::DerivedTypeDef &) { return false; }
  bool Pre(parser::InterfaceBlock &) { return false; }
  void Post(parser::EntityDecl &entity) {
    declared.push_back(std::get<parser::ObjectName>(entity.t).source);
  }
  std::vector<parser::CharBlock> declared;
};

/// Finds every occurrence of the names.
struct Rename {
  using Nodes = cufort::NodeList<parser::DerivedTypeDef, parser::InterfaceBlock,
                                 parser::Keyword, parser::StructureComponent,
                                 parser::Name>;
  bool Pre(parser::DerivedTypeDef &) { return false; }
  bool Pre(parser::InterfaceBlock &) { return false; }
  bool Pre(parser::Keyword &) { return false; }
  bool Pre(parser::StructureComponent &component) {
    cufort::walk(component.base, *this);
    return false; // not the component's name
  }
  void Post(parser::Name &name) {
    if (!names.contains(
            llvm::StringRef(name.source.begin(), name.source.size())))
      return;
    // The prescanner's own copy of the source, which may be written.
    char *text = const_cast<char *>(name.source.begin());
    places.push_back(text);
  }
  llvm::StringSet<> names;
  std::vector<char *> places;
};

class Separate {
public:
  explicit Separate(const std::vector<std::string> &folders)
      : deviceNames(folders, "cudadevice") {}

  using Nodes =
      cufort::NodeList<parser::SubroutineSubprogram, parser::FunctionSubprogram,
                       parser::ExecutionPart>;
  void Post(parser::SubroutineSubprogram &procedure) { separate(procedure); }
  void Post(parser::FunctionSubprogram &procedure) { separate(procedure); }
  bool Pre(parser::ExecutionPart &) { return false; }

private:
  static bool runsOnDevice(const std::list<parser::PrefixSpec> &prefixes) {
    for (const parser::PrefixSpec &prefix : prefixes)
      if (auto *attributes =
              std::get_if<parser::PrefixSpec::Attributes>(&prefix.u))
        for (common::CUDASubprogramAttrs attribute : attributes->v)
          if (attribute != common::CUDASubprogramAttrs::Host)
            return true;
    return false;
  }

  template <typename Procedure> void separate(Procedure &procedure) {
    auto &statement = std::get<0>(procedure.t).statement;
    if (!runsOnDevice(std::get<std::list<parser::PrefixSpec>>(statement.t)))
      return;
    Declarations declarations;
    cufort::walk(std::get<parser::SpecificationPart>(procedure.t),
                 declarations);
    Rename rename;
    for (parser::CharBlock name : declarations.declared)
      if (llvm::StringRef text(name.begin(), name.size());
          deviceNames.contains(text))
        rename.names.insert(text);
    // A function's own name is what others call it by.
    const parser::CharBlock own = std::get<parser::Name>(statement.t).source;
    rename.names.erase(llvm::StringRef(own.begin(), own.size()));
    if (rename.names.empty())
      return;
    cufort::walk(procedure, rename);
    for (char *place : rename.places)
      *place = '_';
  }

  cufort::ModuleNames deviceNames;
};

} // namespace

void cufort::separateLocalNames(parser::Program &program,
                                const std::vector<std::string> &moduleFolders) {
  Separate separate(moduleFolders);
  cufort::walk(program, separate);
}
