//===- InputFiles.h - the files of the command line -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_OPTIONS_INPUTFILES_H
#define CUFORT_COMPILER_DRIVER_OPTIONS_INPUTFILES_H

#include "compiler/driver/options/CommandLine.h"
#include "llvm/ADT/StringRef.h"

namespace cufort::driver {

/// Whether "-x \p name" names a language.
bool isLanguage(llvm::StringRef name);

/// Whether there is a file at \p path; says so if not.
bool exists(llvm::StringRef path);

/// Adds the input file \p path: a source, by its suffix or, if it is not empty,
/// by \p language (the value of -x in force), or something for the linker.
/// False after a diagnostic.
bool addFile(CommandLine &line, llvm::StringRef path, llvm::StringRef language);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_OPTIONS_INPUTFILES_H
