//===- NvccOptions.h - what nvcc calls by other names -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_NVCCOPTIONS_H
#define CUFORT_COMPILER_DRIVER_NVCCOPTIONS_H

#include "compiler/driver/CommandLine.h"
#include "llvm/Option/Arg.h"

namespace cufort::driver {

/// Applies \p arg, an option of nvcc's that is no mere other name of one of
/// ours. False after a diagnostic.
bool applyNvccOption(CommandLine &line, const llvm::opt::Arg &arg);

/// Whether -l\p name is one of the libraries of a CUDA toolkit whose content
/// every program has from us.
bool isOwnLibrary(llvm::StringRef name);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_NVCCOPTIONS_H
