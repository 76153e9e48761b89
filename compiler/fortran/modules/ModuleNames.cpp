//===- ModuleNames.cpp - what a module of ours has ----------------------- ===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/modules/ModuleNames.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cctype>

/// Those of the module file \p text.
static llvm::StringSet<> moduleNames(llvm::StringRef text) {
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

bool cufort::ModuleNames::contains(llvm::StringRef name) {
  if (!names) {
    names.emplace();
    for (const std::string &folder : folders)
      if (auto file =
              llvm::MemoryBuffer::getFile(folder + "/" + module + ".mod"))
        names = moduleNames((*file)->getBuffer());
  }
  return names->contains(name);
}
