//===- ExecutableStack.h - objects with code on the stack -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_TOOLCHAIN_EXECUTABLESTACK_H
#define CUFORT_COMPILER_DRIVER_TOOLCHAIN_EXECUTABLESTACK_H

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace cufort::driver {

/// Whether one of the objects and archives among \p inputs of a linker runs
/// code on its stack. Flang's code does where an internal procedure is an
/// actual argument; LLVM's linker wants to be told, where others just do it.
bool needsExecutableStack(llvm::ArrayRef<std::string> inputs);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_TOOLCHAIN_EXECUTABLESTACK_H
