//===- DeviceData.h - where the data of an HLFIR value lies -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_DEVICEDATA_H
#define CUFORT_COMPILER_LOWER_DEVICEDATA_H

#include "compiler/lower/DeviceAttributes.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"

namespace cufort::lower {

/// The module's attribute that holds the memory attributes of components, which
/// HLFIR has no place for: a dictionary from "type.component", with the mangled
/// name of the type, to CUF's data attributes.
inline constexpr char DeviceComponentsAttribute[] = "cufort.device_components";

/// The module's attribute that holds the memory attributes of functions'
/// results, likewise: a dictionary from the mangled name of the function.
inline constexpr char DeviceResultsAttribute[] = "cufort.device_results";

/// The memory attribute of what \p value designates: a variable, a part of one,
/// or what an allocatable or pointer describes; none for memory of the host,
/// where descriptors and the front end's own copies lie, too.
std::optional<cuf::DataAttribute> memoryOf(mlir::Value value);

/// The memory attribute of what the descriptor at \p address describes, or
/// will describe once it is allocated.
std::optional<cuf::DataAttribute> memoryDescribedBy(mlir::Value address);

/// Whether there is a descriptor at \p address, and what it describes, or will
/// describe once it is allocated, is device memory. Structure constructors, and
/// COPYIN of OpenMP, assign to such as if it were the host's.
bool describesDeviceData(mlir::Value address);

/// Whether the type of \p value, a record or what contains or describes
/// records, has allocatable components in device memory, or, if it is
/// polymorphic, may have some.
bool hasDeviceComponents(mlir::Operation *user, mlir::Type type);

/// Whether \p value is memory that the host cannot reach.
bool isDeviceData(mlir::Value value);

/// Whether \p value is memory that kernels can reach and that may therefore be
/// an operand of one.
bool isReachedByKernels(mlir::Value value);

/// Whether both the host and kernels reach memory with the attribute \p memory.
inline bool isReachedByBoth(cuf::DataAttribute memory) {
  return memory == cuf::DataAttribute::Managed ||
         memory == cuf::DataAttribute::Unified;
}

/// The position in Flang's table of allocators of the one for \p memory.
unsigned allocatorOf(cuf::DataAttribute memory);

/// The number of \p memory for the runtime's functions that allocate and free.
unsigned memoryType(cuf::DataAttribute memory);

/// Whether \p op belongs to code that runs on the host only.
inline bool isHostCode(mlir::Operation *op) {
  auto func = op->getParentOfType<mlir::func::FuncOp>();
  return func && procedureAttribute(func) == cuf::ProcAttribute::Host &&
         !op->getParentOfType<cuf::KernelOp>();
}

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_DEVICEDATA_H
