//===- ScanModules.h - what modules a source has and needs ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By the statements of the preprocessed source alone: nothing need be compiled
// before, and what is no correct program has modules all the same.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_MODULES_SCANMODULES_H
#define CUFORT_COMPILER_FORTRAN_MODULES_SCANMODULES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace Fortran::parser {
class AllSources;
class Parsing;
} // namespace Fortran::parser

namespace cufort {

/// The modules of a source; a submodule is "ancestor:name".
struct SourceModules {
  std::vector<std::string> provided;
  std::vector<std::string> required; ///< but those that it provides itself
  std::vector<std::string> files;    ///< the source, and what it includes
};

/// The text of a source as the parser gets it: lower case, without comments and
/// continuations.
llvm::StringRef cookedText(Fortran::parser::Parsing &parsing);

/// Its statements.
llvm::SmallVector<llvm::StringRef> statementsOf(llvm::StringRef text);

/// The module of a USE statement, empty for other statements and for modules
/// that are intrinsic by what the statement says.
llvm::StringRef usedModule(llvm::StringRef statement);

/// The module that \p statement begins, empty for other statements.
llvm::StringRef begunModule(llvm::StringRef statement);

/// The modules of the source that \p parsing has read.
SourceModules scanModules(Fortran::parser::Parsing &parsing);

/// The files that have been read, module files among them.
std::vector<std::string> filesRead(const Fortran::parser::AllSources &sources);

/// The file of the module \p name, as Flang calls it.
std::string moduleFileName(llvm::StringRef name);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_MODULES_SCANMODULES_H
