//===- Names.h - the names under which cufort is called ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Links to cufort with the names of other compilers (lib/cufort/bin) answer
// build systems as those compilers do: the name decides the text of --version,
// the macros, and what is the default where compilers differ.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_OPTIONS_NAMES_H
#define CUFORT_COMPILER_DRIVER_OPTIONS_NAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cufort::driver {

enum class CalledAs {
  Cufort,    ///< and any other name: build systems see LLVM's Flang
  Nvfortran, ///< nvfortran, pgfortran, pgf90, pgf95, pgf77
  Nvcc
};

/// What the name of \p program, a path or a name, stands for. A version or a
/// target before or after it ("nvfortran-26.3") changes nothing.
CalledAs calledAs(llvm::StringRef program);

/// The macros by which sources and build systems know NVIDIA's Fortran
/// compiler, as -D options.
std::vector<std::string> nvfortranMacros();

/// The text of --version under the name of \p program, on standard output.
void printVersionAs(llvm::StringRef program);

/// The text of `cufort info`'s head: our version, LLVM's and the target.
void printParts();

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_OPTIONS_NAMES_H
