//===- SymbolName.h - symbols as the user wrote them ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_COMMON_SYMBOLNAME_H
#define CUFORT_COMPILER_COMMON_SYMBOLNAME_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cufort {

/// Without what Clang adds to the name of a kernel that its file has for
/// itself, or whose type does: "__intern__" or "__static__" and a number of the
/// file.
llvm::StringRef withoutUnit(llvm::StringRef symbol);

/// \p symbol as a user knows it: "m::sub" for Flang's `_QMmPsub`, "n::f(int)"
/// for C++'s `_ZN1n1fEi`, the symbol itself where it has no such form.
std::string userName(llvm::StringRef symbol);

} // namespace cufort

#endif // CUFORT_COMPILER_COMMON_SYMBOLNAME_H
