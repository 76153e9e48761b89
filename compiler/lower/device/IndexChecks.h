//===- IndexChecks.h - declared bounds, for the checkers --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_DEVICE_INDEXCHECKS_H
#define CUFORT_COMPILER_LOWER_DEVICE_INDEXCHECKS_H

#include <memory>

namespace mlir {
class Pass;
}

namespace cufort::lower {

/// An attribute of a module whose device code is to be checked (--check).
inline constexpr char CheckAttribute[] = "cufort.check";

/// Says the bounds of arrays where device code names them and their elements,
/// for the checkers. Needs device code in FIR before it is optimised, of a
/// program that is compiled with --check; leaves calls that compiler/check
/// knows.
std::unique_ptr<mlir::Pass> createIndexChecks();

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_DEVICE_INDEXCHECKS_H
