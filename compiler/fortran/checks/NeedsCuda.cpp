//===- NeedsCuda.cpp - CUDA Fortran without the option --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/checks/NeedsCuda.h"
#include "compiler/fortran/modules/ScanModules.h"
#include "flang/Parser/parsing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace cufort;
using namespace Fortran;
using namespace parser::literals;

/// Whether \p line of a module file says something of CUDA: attributes
/// statements, prefixes of procedures, components with an attribute.
static bool isCudaLine(llvm::StringRef line) {
  line = line.trim();
  if (line.starts_with("!"))
    return false;
  return line.contains("attributes(") || line.contains(",device::") ||
         line.contains(",managed::") || line.contains(",pinned::") ||
         line.contains(",device,") || line.contains(",managed,");
}

static bool needsCuda(llvm::StringRef module,
                      const std::vector<std::string> &folders,
                      llvm::StringSet<> &seen) {
  if (!seen.insert(module).second)
    return false;
  if (module == "cudafor")
    return true;
  for (const std::string &folder : folders) {
    auto file =
        llvm::MemoryBuffer::getFile(folder + "/" + module.str() + ".mod");
    if (!file)
      continue;
    llvm::StringRef rest = (*file)->getBuffer();
    while (!rest.empty()) {
      auto [line, next] = rest.split('\n');
      rest = next;
      if (isCudaLine(line))
        return true;
      if (llvm::StringRef used = usedModule(line);
          !used.empty() && needsCuda(used, folders, seen))
        return true;
    }
    return false;
  }
  return false;
}

static bool isInName(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Goes past \p keyword at the start of \p text, if it is there as a word.
static bool consumeWord(llvm::StringRef &text, llvm::StringRef keyword) {
  llvm::StringRef rest = text.ltrim();
  if (!rest.consume_front(keyword) || (!rest.empty() && isInName(rest[0])))
    return false;
  text = rest.ltrim();
  return true;
}

bool cufort::usesCudaModule(parser::Parsing &parsing,
                            const std::vector<std::string> &folders) {
  const llvm::SmallVector<llvm::StringRef> statements =
      statementsOf(cookedText(parsing));
  // A file of a module that stands here is of an earlier compilation, perhaps
  // of one with other options.
  llvm::StringSet<> seen;
  for (llvm::StringRef statement : statements)
    if (llvm::StringRef module = begunModule(statement); !module.empty())
      seen.insert(module);
  for (llvm::StringRef statement : statements)
    if (llvm::StringRef module = usedModule(statement);
        !module.empty() && needsCuda(module, folders, seen))
      return true;
  return false;
}

static constexpr llvm::StringRef memories[] = {
    "device",  "managed", "constant", "shared",      "pinned",
    "unified", "texture", "global",   "grid_global", "host"};

/// The attribute in attributes(global) subroutine, attributes(device) :: x;
/// empty for other statements. An array of that name would be followed by =.
static llvm::StringRef statementAttribute(llvm::StringRef statement) {
  llvm::StringRef rest = statement;
  if (!consumeWord(rest, "attributes") || !rest.consume_front("("))
    return {};
  auto [list, after] = rest.split(')');
  after = after.ltrim();
  const llvm::StringRef first = list.split(',').first.trim();
  const bool declares =
      after.starts_with("::") || (!after.empty() && llvm::isAlpha(after[0]));
  return declares && llvm::is_contained(memories, first) ? statement.trim()
                                                         : llvm::StringRef();
}

/// The attribute in real, device :: x; empty for other statements.
static llvm::StringRef declarationAttribute(llvm::StringRef statement) {
  if (llvm::none_of(
          llvm::ArrayRef<llvm::StringRef>{"integer", "real", "complex",
                                          "logical", "character", "type",
                                          "class", "double", "procedure"},
          [&](llvm::StringRef type) {
            return statement.ltrim().starts_with(type);
          }))
    return {};
  const size_t end = statement.find("::");
  if (end == llvm::StringRef::npos)
    return {};
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i <= end; ++i) {
    depth += statement[i] == '(';
    depth -= statement[i] == ')';
    if (i != end && (statement[i] != ',' || depth > 0))
      continue;
    const llvm::StringRef attribute = statement.slice(start, i).trim();
    if (start > 0 && llvm::is_contained(memories, attribute))
      return attribute;
    start = i + 1;
  }
  return {};
}

bool cufort::checkCudaIsOff(parser::Parsing &parsing) {
  bool isOff = false;
  auto report = [&](llvm::StringRef place, parser::MessageFixedText text) {
    parsing.messages().Say(parser::CharBlock(place.data(), place.size()), text);
    isOff = true;
  };
  llvm::StringRef rest = cookedText(parsing);
  while (!rest.empty()) {
    auto [line, next] = rest.split('\n');
    rest = next;
    if (line.starts_with("!") || line.contains('\'') || line.contains('"'))
      continue; // the parser knows what is a literal
    llvm::SmallVector<llvm::StringRef> statements;
    line.split(statements, ';');
    for (llvm::StringRef statement : statements) {
      const size_t chevrons = statement.find("<<<");
      if (chevrons != llvm::StringRef::npos)
        report(
            statement.substr(chevrons, 3),
            "<<< >>> launches a kernel of CUDA Fortran, which is off for this file: compile it with -cuda, or give it the extension .cuf"_err_en_US);
      llvm::StringRef attribute = statementAttribute(statement);
      if (attribute.empty())
        attribute = declarationAttribute(statement);
      if (!attribute.empty())
        report(
            attribute,
            "this is an attribute of CUDA Fortran, which is off for this file: compile it with -cuda, or give it the extension .cuf"_err_en_US);
    }
  }
  return !isOff;
}
