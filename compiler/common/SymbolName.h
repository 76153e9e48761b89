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

/// \p symbol as a user knows it: "m::sub" for Flang's `_QMmPsub`, "n::f(int)"
/// for C++'s `_ZN1n1fEi`, the symbol itself where it has no such form.
std::string userName(llvm::StringRef symbol);

} // namespace cufort

#endif // CUFORT_COMPILER_COMMON_SYMBOLNAME_H
