//===- Options.h - the table of the command's options -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_OPTIONS_OPTIONS_H
#define CUFORT_COMPILER_DRIVER_OPTIONS_OPTIONS_H

#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"

namespace cufort::driver::options {

/// What Options.td calls flags, beyond LLVM's own.
enum Flag : unsigned {
  ForClang = 1 << 4, ///< goes to Clang's front end, too
};

enum ID {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "compiler/driver/options/Options.inc"
#undef OPTION
};

/// The options of Options.td.
const llvm::opt::OptTable &table();

} // namespace cufort::driver::options

#endif // CUFORT_COMPILER_DRIVER_OPTIONS_OPTIONS_H
