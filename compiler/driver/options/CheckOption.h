//===- CheckOption.h - --check and its list ---------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_OPTIONS_CHECKOPTION_H
#define CUFORT_COMPILER_DRIVER_OPTIONS_CHECKOPTION_H

#include "compiler/common/CheckOptions.h"
#include "llvm/ADT/ArrayRef.h"

namespace cufort::driver {

/// --check: adds all checkers, but for what is asked for by name only.
void addAllCheckers(CheckOptions &check);

/// Adds what \p words, the list of --check=, ask for to \p check; false after a
/// diagnostic that names the words there are.
bool applyCheckOption(llvm::ArrayRef<const char *> words, CheckOptions &check);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_OPTIONS_CHECKOPTION_H
