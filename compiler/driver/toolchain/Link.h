//===- Link.h - objects to a program ----------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_TOOLCHAIN_LINK_H
#define CUFORT_COMPILER_DRIVER_TOOLCHAIN_LINK_H

#include "compiler/driver/OutputFile.h"
#include "compiler/driver/Phases.h"
#include "compiler/driver/options/CommandLine.h"

namespace cufort::driver {

/// Links the program of \p line into the file \p output, which is written in
/// place. \p objects has the object of each source, in their order;
/// \p folder takes the image object; \p name is what the user calls the
/// program. False after diagnostics.
bool linkProgram(const CommandLine &line, llvm::ArrayRef<std::string> objects,
                 const TemporaryFolder &folder, const std::string &output,
                 llvm::StringRef name, Phases &phases);

/// -rdc=false: gives \p object, which was compiled from \p source, an image of
/// its own device code. False after diagnostics.
bool closeObject(const CommandLine &line, const Source &source,
                 const std::string &object, Phases &phases);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_TOOLCHAIN_LINK_H
