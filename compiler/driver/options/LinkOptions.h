//===- LinkOptions.h - options for the linker -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_OPTIONS_LINKOPTIONS_H
#define CUFORT_COMPILER_DRIVER_OPTIONS_LINKOPTIONS_H

#include "compiler/driver/options/CommandLine.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"

namespace cufort::driver {

/// Applies \p arg, one of \p args, if it is a library or an option for the
/// linker; false if it is another option.
bool applyLinkOption(CommandLine &line, const llvm::opt::Arg &arg,
                     const llvm::opt::ArgList &args);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_OPTIONS_LINKOPTIONS_H
