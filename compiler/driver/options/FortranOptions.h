//===- FortranOptions.h - options for Fortran only --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_OPTIONS_FORTRANOPTIONS_H
#define CUFORT_COMPILER_DRIVER_OPTIONS_FORTRANOPTIONS_H

#include "compiler/driver/options/CommandLine.h"
#include "llvm/Option/Arg.h"
#include <optional>

namespace cufort::driver {

/// Applies \p arg if it is an option of Fortran compilers that is not handed on
/// as it stands. False after a diagnostic, nothing if it is another option.
std::optional<bool> applyFortranOption(CommandLine &line,
                                       const llvm::opt::Arg &arg);

/// Says what has been noted of options that other languages have, too, where a
/// source is Fortran.
void sayFortranWarnings(const CommandLine &line);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_OPTIONS_FORTRANOPTIONS_H
