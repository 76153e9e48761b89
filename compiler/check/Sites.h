//===- Sites.h - places that the checkers speak of --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constants of image/Check.h: one for each place in the source that device
// code accesses memory or waits at, and one for each variable with a name.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CHECK_SITES_H
#define CUFORT_COMPILER_CHECK_SITES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace cufort::check {

class Sites {
public:
  /// \p deviceFolder: where the device library is, and so our headers: places
  /// in these stand for their callers'.
  Sites(llvm::Module &module, const std::string &deviceFolder);

  /// The constant of what \p instruction does to \p pointer, null at barriers;
  /// \p name is the variable's if the pointer does not tell.
  llvm::Constant *at(const llvm::Instruction &instruction,
                     const llvm::Value *pointer, uint32_t bytes,
                     uint32_t alignment, uint32_t flags,
                     llvm::StringRef name = "");

  /// The constant that describes \p variable, or null if it has no name; of a
  /// private array if it is an alloca.
  llvm::Constant *variable(llvm::Value &variable);

  /// Writes what the runtime looks for: \p checks and all variables.
  void writeTable(uint32_t checks);

  /// A constant string, terminated by zero.
  llvm::Constant *text(llvm::StringRef text);

private:
  bool isOwn(llvm::StringRef path) const;

  llvm::Module &module;
  llvm::LLVMContext &context;
  std::string ownFolder;
  llvm::StringMap<llvm::Constant *> texts;
  llvm::DenseMap<const llvm::Value *, llvm::Constant *> variables;
  llvm::StructType *siteType, *variableType;
};

} // namespace cufort::check

#endif // CUFORT_COMPILER_CHECK_SITES_H
