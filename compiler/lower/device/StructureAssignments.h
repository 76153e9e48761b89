//===- StructureAssignments.h - arrays of structures ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_DEVICE_STRUCTUREASSIGNMENTS_H
#define CUFORT_COMPILER_LOWER_DEVICE_STRUCTUREASSIGNMENTS_H

#include "mlir/IR/BuiltinOps.h"

namespace cufort::lower {

/// Assignments of arrays of derived types in device code: Flang calls its
/// library, which looks into the type's descriptor for what the structures own.
/// Device code has no such descriptors; where the type itself says that there
/// is nothing, the call becomes one that copies.
void copyPlainStructures(mlir::ModuleOp module);

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_DEVICE_STRUCTUREASSIGNMENTS_H
