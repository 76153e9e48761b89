//===- ManagedArguments.h - values for managed dummy arguments --*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_HOST_MANAGEDARGUMENTS_H
#define CUFORT_COMPILER_LOWER_HOST_MANAGEDARGUMENTS_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace cufort::lower {

/// Puts the values of expressions that are actual arguments of host code into
/// managed memory where the dummy argument is there. Needs HLFIR; an error
/// where the value is of a derived type or a character.
std::unique_ptr<mlir::Pass> createManagedArguments();

} // namespace cufort::lower

#endif
