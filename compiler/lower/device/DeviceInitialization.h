//===- DeviceInitialization.h - initial values of allocations ---*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_DEVICE_DEVICEINITIALIZATION_H
#define CUFORT_COMPILER_LOWER_DEVICE_DEVICEINITIALIZATION_H

#include "mlir/IR/BuiltinOps.h"

namespace cufort::lower {

/// Objects of derived types that device code allocates, and arrays of them that
/// are its variables, get their components' default values. On the host the
/// run-time library finds these in the type's descriptor, which device code
/// does not have: here a call of the device library that copies them follows
/// each allocation, or stands for the call that initialises the array. Needs
/// the module with Flang's variables for initial values.
void initializeObjects(mlir::ModuleOp module);

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_DEVICE_DEVICEINITIALIZATION_H
