//===- Names.h - what the source calls a variable ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CHECK_NAMES_H
#define CUFORT_COMPILER_CHECK_NAMES_H

#include "llvm/IR/Instruction.h"
#include <string>

namespace cufort::check {

/// What \p pointer points into: an alloca, a variable, an argument, or what was
/// loaded. Looks through address arithmetic.
const llvm::Value *rootOf(const llvm::Value *pointer);

/// The variable that \p instruction accesses by \p pointer as the source calls
/// it, from debug information, the symbol, or what Flang says for its alias
/// analysis; "" if nothing says so.
std::string variableName(const llvm::Instruction &instruction,
                         const llvm::Value *pointer);

/// The same for a variable or an alloca itself.
std::string nameOf(const llvm::Value &variable);

/// Whether \p function was written in Fortran.
bool isFortran(const llvm::Function &function);

} // namespace cufort::check

#endif // CUFORT_COMPILER_CHECK_NAMES_H
