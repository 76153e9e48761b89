//===- MpiHeader.h - what an installed mpif.h declares ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_MODULES_MPIHEADER_H
#define CUFORT_COMPILER_FORTRAN_MODULES_MPIHEADER_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <list>
#include <optional>
#include <string>
#include <vector>

namespace cufort {

/// An mpif.h with all that it includes, read as far as the modules mpi and
/// mpi_f08 have to know it. All names are in lower case.
class MpiHeader {
public:
  /// The first mpif.h of \p folders; nothing if there is none.
  static llvm::Expected<std::optional<MpiHeader>>
  find(const std::list<std::string> &folders);

  const std::string &path() const { return headerPath; }
  /// The text of the header and of what it includes.
  const std::string &text() const { return allText; }
  bool mentions(llvm::StringRef name) const { return names.contains(name); }
  /// The value of a constant that is written as a number.
  std::optional<int> number(llvm::StringRef constant) const;

  struct Common {
    std::string block;
    std::vector<std::string> variables;
  };
  const std::vector<Common> &commons() const { return commonBlocks; }

private:
  llvm::Error read(const std::string &file, unsigned depth);
  void addLines(llvm::StringRef text);
  void addStatement(llvm::StringRef statement);
  void addCommon(llvm::StringRef list);

  std::string headerPath, allText;
  llvm::StringSet<> names;
  llvm::StringMap<int> numbers;
  std::vector<Common> commonBlocks;
};

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_MODULES_MPIHEADER_H
