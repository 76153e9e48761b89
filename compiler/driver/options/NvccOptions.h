//===- NvccOptions.h - what nvcc calls by other names -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_OPTIONS_NVCCOPTIONS_H
#define CUFORT_COMPILER_DRIVER_OPTIONS_NVCCOPTIONS_H

#include "compiler/driver/options/CommandLine.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Option/Arg.h"
#include "llvm/Support/StringSaver.h"

namespace cufort::driver {

/// Applies \p arg, an option of nvcc that is more than another name for one of
/// ours. False after a diagnostic.
bool applyNvccOption(CommandLine &line, const llvm::opt::Arg &arg);

/// Options of nvcc's whose values a table cannot tell from files:
/// --options-file becomes @file, kinds of warnings after -Werror that Clang
/// does not know go, lists separated by commas become single options, and if
/// \p isNvcc the variables NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS are read.
/// Needs \p arguments before response files are read.
void rewriteNvccSpellings(llvm::SmallVectorImpl<const char *> &arguments,
                          bool isNvcc, llvm::StringSaver &saver);

/// Whether -l\p name is one of the libraries of a CUDA toolkit whose content
/// every program has from us.
bool isOwnLibrary(llvm::StringRef name);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_OPTIONS_NVCCOPTIONS_H
