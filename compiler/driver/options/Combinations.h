//===- Combinations.h - which options go together ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_OPTIONS_COMBINATIONS_H
#define CUFORT_COMPILER_DRIVER_OPTIONS_COMBINATIONS_H

#include "compiler/driver/options/CommandLine.h"

namespace cufort::driver {

/// Whether the options of \p line and its files make sense together; false
/// after a diagnostic.
bool checkCombination(const CommandLine &line);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_OPTIONS_COMBINATIONS_H
