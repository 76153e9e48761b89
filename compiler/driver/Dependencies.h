//===- Dependencies.h - what build systems want to know ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of Fortran; Clang writes the dependencies of C, C++ and CUDA C++.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_DEPENDENCIES_H
#define CUFORT_COMPILER_DRIVER_DEPENDENCIES_H

#include "compiler/driver/options/CommandLine.h"
#include "compiler/fortran/modules/ScanModules.h"
#include <optional>

namespace llvm::opt {
class ArgList;
}

namespace cufort::driver {

/// -MD and its like, which Clang gets as they stand.
DependencyOptions readDependencyOptions(const llvm::opt::ArgList &args);

/// The modules that \p source, which is Fortran, has and needs; nothing after
/// diagnostics. Modules that come with the compiler are not among them.
std::optional<SourceModules> scanSource(const CommandLine &line,
                                        const Source &source);

/// Writes the rule that -MD asks for, in make's form: the object and the module
/// files of \p source depend on what has been read. False after a diagnostic.
bool writeDependencies(const CommandLine &line, const Source &source,
                       const SourceModules &modules);

/// --module-dependencies: writes the modules of all sources in the form P1689
/// (version 1), to -o or standard output.
bool writeModuleDependencies(const CommandLine &line);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_DEPENDENCIES_H
