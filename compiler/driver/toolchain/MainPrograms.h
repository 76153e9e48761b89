//===- MainPrograms.h - where programs begin --------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_TOOLCHAIN_MAINPROGRAMS_H
#define CUFORT_COMPILER_DRIVER_TOOLCHAIN_MAINPROGRAMS_H

#include "compiler/driver/options/CommandLine.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace cufort::driver {

/// After a link that failed: a diagnostic where none or several of the
/// program's files have a main program, which linkers say in words of their
/// own.
/// \p objects has the object of each source.
void explainMainPrograms(const CommandLine &line,
                         llvm::ArrayRef<std::string> objects);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_TOOLCHAIN_MAINPROGRAMS_H
