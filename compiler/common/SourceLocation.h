//===- SourceLocation.h - where device code comes from ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device code has line tables until it is compiled for an engine. A message of
// the device link that begins with a location is printed as those of the front
// ends are: "FILE:LINE:COLUMN: error: text", which editors read
// (driver/Diagnostics.h).
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_COMMON_SOURCELOCATION_H
#define CUFORT_COMPILER_COMMON_SOURCELOCATION_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace cufort {

/// "FILE:LINE:COLUMN: " of what follows, or "" where nothing is known.
std::string locationOf(const llvm::Instruction &instruction);
std::string locationOf(const llvm::Function &function);
/// Likewise of an instruction that uses \p function.
std::string locationOfUse(const llvm::Function &function);

/// How many characters of \p message are such a location, the blank at its end
/// included.
size_t locationLength(llvm::StringRef message);

} // namespace cufort

#endif // CUFORT_COMPILER_COMMON_SOURCELOCATION_H
