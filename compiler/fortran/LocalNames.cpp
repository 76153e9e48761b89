//===- LocalNames.cpp - a program's own names win -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/LocalNames.h"
#include "flang/Parser/parse-tree-visitor.h"
#include "flang/Parser/parse-tree.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cctype>
#include <optional>

using namespace Fortran;

namespace {

/// The procedures and generic names of a module file.
llvm::StringSet<> moduleNames(llvm::StringRef text) {
  llvm::StringSet<> names;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    for (llvm::StringRef keyword : {"subroutine ", "function ", "interface "}) {
      size_t at = line.find(keyword);
      if (at == llvm::StringRef::npos)
        continue;
      names.insert(line.substr(at + keyword.size()).take_while([](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
      }));
    }
  }
  return names;
}

class DeviceNames {
public:
  explicit DeviceNames(const std::vector<std::string> &folders)
      : folders(folders) {}

  bool contains(parser::CharBlock name) {
    if (!names) {
      names.emplace();
      for (const std::string &folder : folders)
        if (auto file = llvm::MemoryBuffer::getFile(folder + "/cudadevice.mod"))
          names = moduleNames((*file)->getBuffer());
    }
    return names->contains(llvm::StringRef(name.begin(), name.size()));
  }

private:
  const std::vector<std::string> &folders;
  std::optional<llvm::StringSet<>> names; // read when the first one is asked
};

/// Collects what a specification part declares.
struct Declarations {
  template <typename T> bool Pre(T &) { return true; }
  template <typename T> void Post(T &) {}
  bool Pre(parser::DerivedTypeDef &) { return false; }
  bool Pre(parser::InterfaceBlock &) { return false; }
  void Post(parser::EntityDecl &entity) {
    declared.push_back(std::get<parser::ObjectName>(entity.t).source);
  }
  std::vector<parser::CharBlock> declared;
};

/// Finds every occurrence of the names.
struct Rename {
  template <typename T> bool Pre(T &) { return true; }
  template <typename T> void Post(T &) {}
  bool Pre(parser::DerivedTypeDef &) { return false; }
  bool Pre(parser::InterfaceBlock &) { return false; }
  bool Pre(parser::Keyword &) { return false; }
  bool Pre(parser::StructureComponent &component) {
    parser::Walk(component.base, *this);
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
      : deviceNames(folders) {}

  template <typename T> bool Pre(T &) { return true; }
  template <typename T> void Post(T &) {}
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
    parser::Walk(std::get<parser::SpecificationPart>(procedure.t),
                 declarations);
    Rename rename;
    for (parser::CharBlock name : declarations.declared)
      if (deviceNames.contains(name))
        rename.names.insert(llvm::StringRef(name.begin(), name.size()));
    // A function's own name is what others call it by.
    const parser::CharBlock own = std::get<parser::Name>(statement.t).source;
    rename.names.erase(llvm::StringRef(own.begin(), own.size()));
    if (rename.names.empty())
      return;
    parser::Walk(procedure, rename);
    for (char *place : rename.places)
      *place = '_';
  }

  DeviceNames deviceNames;
};

} // namespace

void cufort::separateLocalNames(parser::Program &program,
                                const std::vector<std::string> &moduleFolders) {
  Separate separate(moduleFolders);
  parser::Walk(program, separate);
}
