//===- Toolkit.h - cufort as a CUDA toolkit ---------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CMake asks a CUDA compiler where its toolkit lies: it reads the version
// nvcc's --version prints, and the variables and the line of the linker's call
// that nvcc shows with -v.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_TOOLCHAIN_TOOLKIT_H
#define CUFORT_COMPILER_DRIVER_TOOLCHAIN_TOOLKIT_H

#include "compiler/driver/options/CommandLine.h"

namespace cufort::driver {

/// The lines of --version that say which nvcc the options are those of, or, for
/// \p isNvcc, nvcc's own.
void printToolkitVersion(bool isNvcc);

/// CommandLine::architectureList, a line for each.
void listArchitectures(const CommandLine &line);

/// The folders of the toolkit (headers, libraries under their names in CUDA),
/// in nvcc's form, on standard error; for a link also a call that links host
/// objects, with the architecture of the device code.
void showToolkit(const CommandLine &line);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_TOOLCHAIN_TOOLKIT_H
