//===- Names.h - procedure names as the user wrote them ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_NAMES_H
#define CUFORT_RUNTIME_CORE_NAMES_H

#include <cstdlib>
#include <cxxabi.h>
#include <string>
#include <string_view>

namespace cufort {

/// Without what Clang adds to the name of a kernel that its file has for
/// itself, or whose type does: "__intern__" or "__static__" and a number of the
/// file.
inline std::string_view withoutUnit(std::string_view symbol) {
  for (const std::string_view mark : {"__intern__", "__static__"}) {
    const size_t at = symbol.rfind(mark);
    if (at != std::string_view::npos && at != 0 &&
        symbol.find_first_not_of("0123456789abcdef", at + mark.size()) ==
            std::string_view::npos)
      return symbol.substr(0, at);
  }
  return symbol;
}

/// "step of module heat" for _QMheatPstep, "step" for step_; other symbols as
/// they are, C++'s among them, which may end so as well. Flang's names are
/// lower case, its markers capitals.
inline std::string procedureName(std::string_view symbol) {
  if (symbol.substr(0, 2) != "_Q") {
    if (symbol.size() > 1 && symbol.back() == '_' &&
        symbol.substr(0, 2) != "_Z")
      symbol.remove_suffix(1);
    return std::string(symbol);
  }
  const size_t procedure = symbol.rfind('P');
  if (procedure == std::string_view::npos)
    return std::string(symbol);
  std::string name(symbol.substr(procedure + 1));
  if (symbol.substr(2, 1) == "M") {
    const size_t end = symbol.find_first_of("SFP", 3);
    name += " of module ";
    name += symbol.substr(3, end - 3);
  }
  return name;
}

/// The same, and C++'s names with their arguments.
inline std::string readableName(const char *symbol) {
  const std::string own(withoutUnit(symbol));
  int status = 0;
  char *const readable =
      abi::__cxa_demangle(own.c_str(), nullptr, nullptr, &status);
  if (!readable)
    return procedureName(own);
  std::string name = readable;
  std::free(readable);
  return name;
}

/// What the indices of threads and blocks of kernel \p symbol count from in its
/// language: 1 in Fortran, whose symbols Flang marks or ends with "_", else 0.
inline unsigned firstIndex(std::string_view symbol) {
  const bool isFortran =
      symbol.substr(0, 2) == "_Q" ||
      (symbol.substr(0, 2) != "_Z" && !symbol.empty() && symbol.back() == '_');
  return isFortran ? 1 : 0;
}

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_NAMES_H
