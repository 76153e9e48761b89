//===- LocateSource.cpp - module files of other compilers -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In place of Flang's functions, which look for a file in the folders of -I.
// Ours pass over module files that another compiler has written, and end with
// MPI's modules, which are made when they are first asked for.
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/modules/MpiModules.h"
#include "flang/Parser/source.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

/// The files \p name of \p folders, all or the first one.
template <typename Folders>
static std::vector<std::string> locate(const std::string &name,
                                       const Folders &folders, bool all) {
  std::vector<std::string> found;
  bool isForeign = false;
  const bool isModule = llvm::StringRef(name).ends_with(".mod");
  for (const std::string &folder : folders) {
    llvm::SmallString<128> file(folder);
    llvm::sys::path::append(file, name);
    bool isFolder = false;
    if (llvm::sys::fs::is_directory(file, isFolder) || isFolder)
      continue;
    if (isModule && !cufort::isOwnModuleFile(file)) {
      isForeign = true;
      continue;
    }
    found.push_back(file.str().str());
    if (!all)
      return found;
  }
  if (!isModule)
    return found;
  const std::string made = cufort::mpiModuleFolder(
      name, std::list<std::string>(folders.begin(), folders.end()));
  if (!made.empty()) {
    llvm::SmallString<128> file(made);
    llvm::sys::path::append(file, name);
    found.push_back(file.str().str());
  }
  if (found.empty() && isForeign)
    cufort::noteForeignModule(llvm::StringRef(name).drop_back(4));
  return found;
}

std::optional<std::string>
Fortran::parser::LocateSourceFile(std::string name,
                                  const std::list<std::string> &searchPath) {
  if (name == "-" || llvm::sys::path::is_absolute(name))
    return name;
  const std::vector<std::string> found = locate(name, searchPath, false);
  return found.empty() ? std::nullopt
                       : std::optional<std::string>(found.front());
}

std::vector<std::string> Fortran::parser::LocateSourceFileAll(
    std::string name, const std::vector<std::string> &searchPath) {
  if (name == "-" || llvm::sys::path::is_absolute(name))
    return {name};
  return locate(name, searchPath, true);
}
