//===- ModuleFiles.cpp - module files that can be read back ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/modules/ModuleFiles.h"
#include "compiler/fortran/dialect/Textures.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace Fortran;

namespace {

/// Where the attributes of a declaration end: before the first :: outside of
/// parentheses and character literals.
size_t endOfAttributes(llvm::StringRef line) {
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (quote) {
      if (c == quote)
        quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')') {
      --depth;
    } else if (depth == 0 && line.substr(i).starts_with("::")) {
      return i;
    }
  }
  return llvm::StringRef::npos;
}

/// Whether \p line declares the component \p name and nothing else.
bool declares(llvm::StringRef line, llvm::StringRef name) {
  size_t end = endOfAttributes(line);
  if (end == llvm::StringRef::npos)
    return false;
  llvm::StringRef rest = line.drop_front(end + 2);
  return rest.consume_front(name) &&
         (rest.empty() || !(llvm::isAlnum(rest.front()) ||
                            rest.front() == '_' || rest.front() == '$'));
}

/// The memory attribute and the name in "attributes(device) x".
bool parseAttributes(llvm::StringRef line, llvm::StringRef &attribute,
                     llvm::StringRef &name) {
  if (!line.consume_front("attributes("))
    return false;
  std::tie(attribute, name) = line.split(')');
  name = name.trim();
  return !attribute.empty() && !name.empty();
}

/// Moves the attributes statements of components into their declarations.
std::string moveAttributes(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 0> lines;
  text.split(lines, '\n');
  std::vector<std::string> out;
  out.reserve(lines.size());
  bool inType = false, inBindings = false;
  for (llvm::StringRef line : lines) {
    llvm::StringRef attribute, name;
    if (inType && !inBindings && parseAttributes(line, attribute, name)) {
      // Directives may stand between the declaration and the statement.
      auto declaration =
          std::find_if(out.rbegin(), out.rend(), [&](const std::string &each) {
            return declares(each, name);
          });
      if (declaration != out.rend()) {
        declaration->insert(endOfAttributes(*declaration),
                            "," + attribute.str());
        continue;
      }
    }
    if (line == "contains")
      inBindings = inType;
    else if (line == "end type")
      inType = inBindings = false;
    else if (line.starts_with("type,") || line.starts_with("type::"))
      inType = true;
    out.push_back(line.str());
  }
  return llvm::join(out, "\n");
}

/// What Flang writes into the first line: FNV-1a over all the others.
uint64_t checksum(llvm::StringRef text) {
  uint64_t value = 0xcbf29ce484222325;
  for (unsigned char byte : text)
    value = (value ^ byte) * 0x100000001b3;
  return value;
}

/// The text, with every checksum that has changed replaced where it is quoted.
std::string replaceChecksums(llvm::StringRef text,
                             const llvm::StringMap<std::string> &changed) {
  if (changed.empty())
    return text.str();
  std::string out;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    bool terminated = line.size() < text.size();
    llvm::StringRef quoted = line;
    if (quoted.consume_front("!need$ ")) {
      auto found = changed.find(quoted.take_until(llvm::isSpace));
      if (found != changed.end())
        out +=
            "!need$ " + found->second + quoted.drop_until(llvm::isSpace).str();
      else
        out += line;
    } else {
      out += line;
    }
    if (terminated)
      out += '\n';
    text = rest;
  }
  return out;
}

class ModuleFileRepair {
public:
  ModuleFileRepair(semantics::SemanticsContext &context,
                   const cufort::Textures &textures)
      : context(context), textures(textures) {}

  bool repairAll(const semantics::Scope &scope) {
    for (const semantics::Scope &child : scope.children()) {
      // Intrinsic modules and those that were read hang in the same tree.
      if (!child.IsModule() && !child.IsSubmodule())
        continue;
      const semantics::Symbol *symbol = child.symbol();
      if (!symbol || symbol->test(semantics::Symbol::Flag::ModFile))
        continue;
      if (!repair(*symbol) || !repairAll(child))
        return false;
    }
    return true;
  }

private:
  /// The file of a module, or of a submodule together with its ancestor's name.
  std::string pathOf(const semantics::Symbol &symbol) {
    std::string name = symbol.name().ToString();
    if (const auto *details = symbol.detailsIf<semantics::ModuleDetails>())
      if (const semantics::Scope *ancestor = details->ancestor())
        name = ancestor->GetName().value().ToString() + "-" + name;
    llvm::SmallString<128> path(context.moduleDirectory());
    llvm::sys::path::append(path, name + context.moduleFileSuffix());
    return std::string(path);
  }

  bool repair(const semantics::Symbol &symbol) {
    std::string path = pathOf(symbol);
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    if (!buffer)
      return true; // Nothing was written, as for a module with errors.
    auto [header, text] = (*buffer)->getBuffer().split('\n');
    auto [mark, sum] = header.rsplit(':');
    if (!mark.ends_with("!mod$ v1 sum") ||
        sum != llvm::formatv("{0:x-16}", checksum(text)).str())
      return fail(path, "has another form than expected");
    std::string repaired = replaceChecksums(moveAttributes(text), changed);
    for (const std::string &line : textures.linesOfModule(*symbol.scope()))
      repaired += line + "\n";
    if (repaired == text)
      return true;
    std::string newSum = llvm::formatv("{0:x-16}", checksum(repaired));
    changed[sum] = newSum;
    std::string whole = (mark + ":" + newSum + "\n" + repaired).str();
    // A compilation that reads the file at this moment sees all or nothing.
    llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
      os << whole;
      return llvm::Error::success();
    });
    return !error || fail(path, llvm::toString(std::move(error)));
  }

  bool fail(llvm::StringRef path, const llvm::Twine &why) {
    llvm::errs() << "cufort: error: module file '" << path << "': " << why
                 << "\n";
    return false;
  }

  semantics::SemanticsContext &context;
  const cufort::Textures &textures;
  /// The checksums that Flang wrote, and those that are in the files now.
  llvm::StringMap<std::string> changed;
};

} // namespace

bool cufort::repairModuleFiles(semantics::SemanticsContext &context,
                               const Textures &textures) {
  return ModuleFileRepair(context, textures).repairAll(context.globalScope());
}
