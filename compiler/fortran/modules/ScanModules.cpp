//===- ScanModules.cpp - what modules a source has and needs --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/modules/ScanModules.h"
#include "flang/Parser/parsing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cufort;
using namespace Fortran;

static bool isInName(char c) { return llvm::isAlnum(c) || c == '_'; }

llvm::StringRef cufort::cookedText(parser::Parsing &parsing) {
  const parser::CharBlock text = parsing.cooked().AsCharBlock();
  return {text.begin(), text.size()};
}

/// Fixed form may have no blanks: usem.
llvm::StringRef cufort::usedModule(llvm::StringRef statement) {
  statement = statement.trim();
  if (!statement.consume_front("use"))
    return {};
  statement = statement.ltrim();
  if (statement.consume_front(",")) {
    auto [nature, rest] = statement.split("::");
    statement = rest;
    if (statement.empty() || nature.trim() == "intrinsic")
      return {};
  }
  statement.consume_front("::");
  statement = statement.ltrim();
  const llvm::StringRef name = statement.take_while(isInName);
  const llvm::StringRef rest = statement.drop_front(name.size()).ltrim();
  return rest.empty() || rest.starts_with(",") ? name : llvm::StringRef();
}

/// Fixed form may have no blanks.
llvm::StringRef cufort::begunModule(llvm::StringRef statement) {
  statement = statement.trim();
  if (!statement.consume_front("module"))
    return {};
  const llvm::StringRef name = statement.ltrim();
  return !name.empty() && llvm::all_of(name, isInName) ? name
                                                       : llvm::StringRef();
}

llvm::SmallVector<llvm::StringRef> cufort::statementsOf(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines, statements;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines)
    line.split(statements, ';');
  return statements;
}

/// The parent of the submodule that \p statement begins ("ancestor" or
/// "ancestor:parent") and its name, empty for other statements.
static std::pair<std::string, std::string>
begunSubmodule(llvm::StringRef statement) {
  statement = statement.trim();
  if (!statement.consume_front("submodule"))
    return {};
  statement = statement.ltrim();
  if (!statement.consume_front("("))
    return {};
  auto [parent, name] = statement.split(')');
  name = name.trim();
  if (name.empty() || !llvm::all_of(name, isInName))
    return {};
  std::string of;
  for (char c : parent)
    if (c != ' ')
      of += c;
  return {of, name.str()};
}

SourceModules cufort::scanModules(parser::Parsing &parsing) {
  SourceModules modules;
  std::vector<std::string> used;
  for (llvm::StringRef statement : statementsOf(cookedText(parsing))) {
    if (llvm::StringRef name = begunModule(statement); !name.empty())
      modules.provided.push_back(name.str());
    else if (llvm::StringRef name = usedModule(statement); !name.empty())
      used.push_back(name.str());
    else if (auto [parent, name] = begunSubmodule(statement); !name.empty()) {
      used.push_back(parent);
      // A submodule is known by its ancestor, not by its parent.
      modules.provided.push_back(
          llvm::StringRef(parent).split(':').first.str() + ":" + name);
    }
  }
  for (std::string &name : used)
    if (!llvm::is_contained(modules.provided, name) &&
        !llvm::is_contained(modules.required, name))
      modules.required.push_back(std::move(name));
  modules.files = filesRead(parsing.allCooked().allSources());
  return modules;
}

std::vector<std::string> cufort::filesRead(const parser::AllSources &sources) {
  std::vector<std::string> files;
  // From one stretch of text to the next; between them lies what the compiler
  // has inserted.
  for (size_t at = 1; sources.IsValid(parser::Provenance{at});) {
    size_t offset = 0;
    const parser::SourceFile *file =
        sources.GetSourceFile(parser::Provenance{at}, &offset);
    size_t step = 1;
    if (file) {
      if (!file->path().empty() && !llvm::is_contained(files, file->path()))
        files.push_back(file->path());
      if (file->bytes() > offset)
        step = file->bytes() - offset;
    }
    at += step;
  }
  return files;
}

std::string cufort::moduleFileName(llvm::StringRef name) {
  std::string file = name.str() + ".mod";
  std::replace(file.begin(), file.end(), ':', '-');
  return file;
}
