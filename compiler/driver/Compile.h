//===- Compile.h - one source file to one output ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_COMPILE_H
#define CUFORT_COMPILER_DRIVER_COMPILE_H

#include "compiler/driver/Phases.h"
#include "compiler/driver/options/CommandLine.h"

namespace cufort::driver {

/// Compiles \p source as the action of \p line says (an object where it is
/// Action::Link) into \p output, which is written in place. False after
/// diagnostics.
bool compileSource(const CommandLine &line, const Source &source,
                   const std::string &output, Phases &phases);

/// The same for C, C++ and CUDA C++; compileSource calls it.
bool compileClang(const CommandLine &line, const Source &source,
                  const std::string &output, Phases &phases);

/// \p name in the folder that -odir names, if it does.
std::string inOutputFolder(const CommandLine &line, llvm::StringRef name);

/// The name of the output of \p source where the user has given none:
/// its file name with the suffix of the action, "-" for -E and -M.
std::string defaultOutput(const CommandLine &line, const Source &source);

/// Where --save-temps files of \p source begin; empty: none are kept.
std::string saveTempsStem(const CommandLine &line, llvm::StringRef source);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_COMPILE_H
