//===- SymbolName.cpp - symbols as the user wrote them --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/common/SymbolName.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

StringRef cufort::withoutUnit(StringRef symbol) {
  for (StringRef mark : {"__intern__", "__static__"}) {
    const size_t at = symbol.rfind(mark);
    if (at != StringRef::npos && at != 0 &&
        all_of(symbol.drop_front(at + mark.size()), isHexDigit))
      return symbol.take_front(at);
  }
  return symbol;
}

/// Flang's names are "_Q" and then one part for each enclosing scope: an upper
/// case letter for its kind (M module, S submodule, F procedure that contains,
/// P procedure, E variable), then the name, which is in lower case. C and B
/// have numbers or other roles and are left alone.
std::string cufort::userName(StringRef symbol) {
  symbol = withoutUnit(symbol);
  StringRef rest = symbol;
  if (!rest.consume_front("_Q")) {
    if (symbol.starts_with("_Z"))
      return demangle(symbol);
    // External procedures: "saxpy_".
    if (symbol.ends_with("_") && !symbol.starts_with("_"))
      return symbol.drop_back().str();
    return symbol.str();
  }
  std::string name;
  while (!rest.empty()) {
    if (!StringRef("MSFPE").contains(rest.front()))
      return symbol.str();
    rest = rest.drop_front();
    StringRef part = rest.take_while([](char c) { return !isUpper(c); });
    if (part.empty())
      return symbol.str();
    rest = rest.drop_front(part.size());
    name += (name.empty() ? "" : "::") + part.str();
  }
  return name.empty() ? symbol.str() : name;
}
