//===- SourceLocation.cpp - where device code comes from ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/common/SourceLocation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;
using namespace cufort;

static std::string write(StringRef file, unsigned line, unsigned column) {
  // Columns begin with 1; a line table may know none.
  return (file + ":" + Twine(line) + ":" + Twine(std::max(column, 1u)) + ": ")
      .str();
}

std::string cufort::locationOf(const Instruction &instruction) {
  const DILocation *location = instruction.getDebugLoc().get();
  return location && location->getLine()
             ? write(location->getFilename(), location->getLine(),
                     location->getColumn())
             : "";
}

std::string cufort::locationOf(const Function &function) {
  const DISubprogram *program = function.getSubprogram();
  return program && program->getLine()
             ? write(program->getFilename(), program->getLine(), 1)
             : "";
}

std::string cufort::locationOfUse(const Function &function) {
  for (const User *user : function.users())
    if (const auto *instruction = dyn_cast<Instruction>(user))
      if (std::string location = locationOf(*instruction); !location.empty())
        return location;
  return "";
}

size_t cufort::locationLength(StringRef message) {
  // A file's name may have colons, but not a text before its location.
  const StringRef line = message.take_until([](char c) { return c == '\n'; });
  for (size_t at = line.find(':'); at != StringRef::npos;
       at = line.find(':', at + 1)) {
    StringRef rest = line.drop_front(at + 1);
    unsigned number = 0, column = 0;
    if (!rest.consumeInteger(10, number) && rest.consume_front(":") &&
        !rest.consumeInteger(10, column) && rest.starts_with(": "))
      return at ? line.size() - rest.size() + 2 : 0;
  }
  return 0;
}
