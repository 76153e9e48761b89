//===- LinkDevice.h - all device code of a program in one module ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LINK_LINKDEVICE_H
#define CUFORT_COMPILER_LINK_LINKDEVICE_H

#include "compiler/link/BuildImage.h"
#include "compiler/link/HostObjects.h"
#include "llvm/IR/Module.h"
#include <memory>

namespace cufort {

/// Links the device bitcode of the objects that the host takes, then of archive
/// members that define device symbols still missing, then our own device
/// library. Null if there is no device code. Afterwards everything but kernels
/// and variables that the host can name is internal, and unused code is
/// gone. An error names the files: a symbol defined twice, device code that is
/// not bitcode, a procedure called with other arguments than it has.
llvm::Expected<std::unique_ptr<llvm::Module>>
linkDevice(HostObjects &objects, const ImageJob &job,
           llvm::LLVMContext &context);

/// A variable that host code or the runtime may name.
bool isDeviceVariable(const llvm::GlobalVariable &variable);

} // namespace cufort

#endif // CUFORT_COMPILER_LINK_LINKDEVICE_H
