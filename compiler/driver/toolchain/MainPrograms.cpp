//===- MainPrograms.cpp - where programs begin ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/toolchain/MainPrograms.h"
#include "compiler/driver/Diagnostics.h"
#include "llvm/Object/ObjectFile.h"

using namespace cufort::driver;
using llvm::StringRef;

static bool isMain(const llvm::object::SymbolRef &symbol) {
  auto name = symbol.getName();
  if (!name) {
    llvm::consumeError(name.takeError());
    return false;
  }
  auto flags = symbol.getFlags();
  if (!flags) {
    llvm::consumeError(flags.takeError());
    return false;
  }
  return *name == "main" && !(*flags & llvm::object::SymbolRef::SF_Undefined);
}

static bool definesMain(StringRef path) {
  auto object = llvm::object::ObjectFile::createObjectFile(path);
  if (!object) {
    llvm::consumeError(object.takeError());
    return false;
  }
  return llvm::any_of(object->getBinary()->symbols(), isMain);
}

void cufort::driver::explainMainPrograms(const CommandLine &line,
                                         llvm::ArrayRef<std::string> objects) {
  if (line.shared || line.module)
    return;
  std::string found;
  unsigned count = 0;
  bool onlyObjects = true;
  auto look = [&](StringRef object, StringRef name) {
    if (!definesMain(object))
      return;
    found += (count++ ? ", '" : "'") + name.str() + "'";
  };
  for (const LinkInput &input : line.linkInputs) {
    if (input.kind == LinkInput::SourceFile) {
      look(objects[input.index], line.sources[input.index].path);
      continue;
    }
    for (StringRef text : input.text)
      if (text.ends_with(".o"))
        look(text, text);
      else
        onlyObjects = false; // a library may have it
  }
  if (count > 1)
    error("there are several main programs, but a program may have only one: " +
          found);
  else if (!count && onlyObjects)
    error("no main program: none of the files has a PROGRAM, or main() in C "
          "and C++; '-c' compiles without linking");
}
