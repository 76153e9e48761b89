//===- DeviceTypes.h - dynamic types in device code -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_DEVICE_DEVICETYPES_H
#define CUFORT_COMPILER_LOWER_DEVICE_DEVICETYPES_H

#include "flang/Optimizer/Dialect/FIRType.h"
#include "mlir/IR/BuiltinOps.h"

namespace cufort::lower {

/// The symbol that stands for \p type in descriptors.
std::string descriptorName(fir::RecordType type);

/// Whether objects of \p type have allocatable components, at any depth.
bool ownsMemory(fir::RecordType type);

/// Puts in the place of Flang's type descriptors, which lead to procedures and
/// data of the host, what device code asks of a type: its parent, its size and
/// the components that own memory (device/types.h). Every file has those of the
/// types that it knows; the link leaves one of each. Needs the type_info
/// operations of a device module; leaves them without their tables.
void describeTypes(mlir::ModuleOp module);

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_DEVICE_DEVICETYPES_H
