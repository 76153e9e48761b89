//===- Info.h - cufort info -------------------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_INFO_H
#define CUFORT_COMPILER_DRIVER_INFO_H

#include "compiler/driver/options/CommandLine.h"

namespace cufort::driver {

/// Where the parts are and which devices this machine has, on standard output;
/// the exit status.
int printInfo(const CommandLine &line);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_INFO_H
