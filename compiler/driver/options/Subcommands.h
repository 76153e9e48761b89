//===- Subcommands.h - cufort run, info and view ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_OPTIONS_SUBCOMMANDS_H
#define CUFORT_COMPILER_DRIVER_OPTIONS_SUBCOMMANDS_H

#include "compiler/driver/options/CommandLine.h"
#include "llvm/ADT/SmallVector.h"

namespace cufort::driver {

/// Takes "run", "info" or "view" and what follows "--" off \p arguments; of
/// "view" all that follows.
void takeSubcommand(CommandLine &line,
                    llvm::SmallVectorImpl<const char *> &arguments);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_OPTIONS_SUBCOMMANDS_H
