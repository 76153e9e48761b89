//===- SourcePlace.cpp - where device code comes from ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/common/SourcePlace.h"
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

std::string cufort::placeOf(const Instruction &instruction) {
  const DILocation *location = instruction.getDebugLoc().get();
  return location && location->getLine()
             ? write(location->getFilename(), location->getLine(),
                     location->getColumn())
             : "";
}

std::string cufort::placeOf(const Function &function) {
  const DISubprogram *place = function.getSubprogram();
  return place && place->getLine()
             ? write(place->getFilename(), place->getLine(), 1)
             : "";
}

std::string cufort::placeOfUse(const Function &function) {
  for (const User *user : function.users())
    if (const auto *instruction = dyn_cast<Instruction>(user))
      if (std::string place = placeOf(*instruction); !place.empty())
        return place;
  return "";
}

size_t cufort::placeLength(StringRef message) {
  // A file's name may have colons, but not a text before its place.
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
