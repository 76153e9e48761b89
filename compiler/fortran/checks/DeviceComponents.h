//===- DeviceComponents.h - components with a memory attribute --*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_CHECKS_DEVICECOMPONENTS_H
#define CUFORT_COMPILER_FORTRAN_CHECKS_DEVICECOMPONENTS_H

namespace mlir {
class ModuleOp;
}
namespace Fortran::semantics {
class SemanticsContext;
}

namespace cufort {

/// Notes the components of derived types and the results of functions that have
/// a memory attribute, of which HLFIR says nothing, in \p module
/// (lower::DeviceComponentsAttribute, DeviceResultsAttribute).
void noteDeviceComponents(Fortran::semantics::SemanticsContext &semantics,
                          mlir::ModuleOp module);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_CHECKS_DEVICECOMPONENTS_H
