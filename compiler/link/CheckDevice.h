//===- CheckDevice.h - what the engines could not compile -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LINK_CHECKDEVICE_H
#define CUFORT_COMPILER_LINK_CHECKDEVICE_H

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace cufort {

/// Needs the linked device module. An error names the first kernel that
/// reaches something that has no device version, or a procedure that calls
/// itself. Changes nothing.
llvm::Error checkDevice(const llvm::Module &device);

} // namespace cufort

#endif // CUFORT_COMPILER_LINK_CHECKDEVICE_H
