//===- StructureMemory.h - objects with allocatable components --*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_DEVICE_STRUCTUREMEMORY_H
#define CUFORT_COMPILER_LOWER_DEVICE_STRUCTUREMEMORY_H

#include "mlir/IR/BuiltinOps.h"

namespace cufort::lower {

/// Assignment, ALLOCATE with SOURCE= and release of objects of derived types in
/// device code. Flang calls its library, which reads the host's descriptors of
/// types; the calls become those of device/structures.c, which get the type as
/// an argument. Whatever else the library does with objects that own memory is
/// refused at its statement. False after a message.
bool callStructureMemory(mlir::ModuleOp module);

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_DEVICE_STRUCTUREMEMORY_H
