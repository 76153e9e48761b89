//===- MpiHeader.cpp - what an installed mpif.h declares ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The header serves fixed and free form alike: statements start in column 7,
// comments with an exclamation mark or in column 1.
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/modules/MpiHeader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;
namespace path = llvm::sys::path;

static bool isNamePart(char c) { return llvm::isAlnum(c) || c == '_'; }

static std::string withoutBlanks(StringRef text) {
  std::string out;
  llvm::copy_if(text, std::back_inserter(out),
                [](char c) { return !llvm::isSpace(c); });
  return out;
}

llvm::Expected<std::optional<cufort::MpiHeader>>
cufort::MpiHeader::find(const std::list<std::string> &folders) {
  for (const std::string &folder : folders) {
    llvm::SmallString<256> file(folder);
    path::append(file, "mpif.h");
    if (!llvm::sys::fs::is_regular_file(file))
      continue;
    MpiHeader header;
    header.headerPath = file.str().str();
    if (llvm::Error error = header.read(header.headerPath, 0))
      return std::move(error);
    return std::optional<MpiHeader>(std::move(header));
  }
  return std::optional<MpiHeader>();
}

std::optional<int> cufort::MpiHeader::number(StringRef constant) const {
  auto found = numbers.find(constant);
  return found == numbers.end() ? std::nullopt
                                : std::optional<int>(found->second);
}

llvm::Error cufort::MpiHeader::read(const std::string &file, unsigned depth) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return llvm::createStringError("cannot read '" + file +
                                   "': " + buffer.getError().message());
  if (depth == 16)
    return llvm::createStringError("'" + headerPath + "' includes itself");
  StringRef text = (*buffer)->getBuffer();
  allText += text;
  addLines(text);
  llvm::SmallVector<StringRef, 0> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    StringRef rest = line.trim();
    if (!rest.consume_front_insensitive("include"))
      continue;
    rest = rest.ltrim();
    if (rest.empty() || (rest[0] != '\'' && rest[0] != '"'))
      continue;
    llvm::SmallString<256> included(path::parent_path(headerPath));
    path::append(included, rest.drop_front().split(rest[0]).first);
    if (llvm::Error error = read(included.str().str(), depth + 1))
      return error;
  }
  return llvm::Error::success();
}

void cufort::MpiHeader::addLines(StringRef text) {
  std::string statement;
  llvm::SmallVector<StringRef, 0> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    if (line.empty() || StringRef("cC*!").contains(line[0]))
      continue;
    StringRef code = line.split('!').first.rtrim();
    if (code.empty())
      continue;
    const bool continues =
        (code.size() > 6 && StringRef(code.substr(0, 5)).trim().empty() &&
         code[5] != ' ' && code[5] != '0' && !llvm::isAlpha(code[5])) ||
        StringRef(statement).ends_with("&");
    if (StringRef(statement).ends_with("&"))
      statement.pop_back();
    if (!continues) {
      addStatement(statement);
      statement.clear();
    } else {
      code = code.ltrim();
      code.consume_front("&");
    }
    statement += code.lower();
  }
  addStatement(statement);
}

void cufort::MpiHeader::addStatement(StringRef statement) {
  statement = statement.trim();
  for (StringRef rest = statement; !rest.empty();) {
    rest = rest.drop_until(isNamePart);
    StringRef name = rest.take_while(isNamePart);
    rest = rest.drop_front(name.size());
    if (!name.empty() && !llvm::isDigit(name[0]))
      names.insert(name);
  }
  if (statement.starts_with("common"))
    return addCommon(withoutBlanks(statement.drop_front(6)));
  // parameter (a=1, b=2), or integer, parameter :: a = 1
  size_t found = statement.find("parameter");
  if (found == StringRef::npos)
    return;
  StringRef definitions = statement.drop_front(found + 9).trim();
  const size_t colons = definitions.find("::");
  if (colons != StringRef::npos)
    definitions = definitions.drop_front(colons + 2);
  const std::string all = withoutBlanks(definitions);
  llvm::SmallVector<StringRef, 0> each;
  StringRef(all).trim("()").split(each, ',');
  for (StringRef definition : each) {
    auto [name, value] = definition.split('=');
    int number;
    if (!value.trim("()").getAsInteger(10, number))
      numbers[name] = number;
  }
}

/// /block/a,b(5)/other/c
void cufort::MpiHeader::addCommon(StringRef list) {
  while (list.consume_front("/")) {
    Common common;
    std::tie(common.block, list) =
        std::make_pair(list.split('/').first.str(), list.split('/').second);
    StringRef variables = list.take_until([](char c) { return c == '/'; });
    list = list.drop_front(variables.size());
    while (!variables.empty()) {
      StringRef name = variables.take_while(isNamePart);
      common.variables.push_back(name.str());
      variables = variables.drop_front(name.size());
      if (variables.starts_with("("))
        variables =
            variables.drop_until([](char c) { return c == ')'; }).drop_front();
      variables = variables.drop_until(isNamePart);
    }
    commonBlocks.push_back(std::move(common));
  }
}
