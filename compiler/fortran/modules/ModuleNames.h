//===- ModuleNames.h - what a module of ours has ---------------*- C++ -*- ===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_MODULES_MODULENAMES_H
#define CUFORT_COMPILER_FORTRAN_MODULES_MODULENAMES_H

#include "llvm/ADT/StringSet.h"
#include <optional>
#include <string>
#include <vector>

namespace cufort {

/// The procedures and generic names of one of cufort's own modules, for what
/// comes before semantics. The module's file is read when the first name is
/// asked for.
class ModuleNames {
public:
  /// \p folders, which must outlive the object, is where the file of \p module
  /// may be.
  ModuleNames(const std::vector<std::string> &folders, std::string module)
      : folders(folders), module(std::move(module)) {}

  bool contains(llvm::StringRef name);

private:
  const std::vector<std::string> &folders;
  const std::string module;
  std::optional<llvm::StringSet<>> names;
};

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_MODULES_MODULENAMES_H
