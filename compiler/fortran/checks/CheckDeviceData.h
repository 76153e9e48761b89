//===- CheckDeviceData.h - device data where the host cannot use it -------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_CHECKS_CHECKDEVICEDATA_H
#define CUFORT_COMPILER_FORTRAN_CHECKS_CHECKDEVICEDATA_H

#include "flang/Parser/message.h"
#include "flang/Parser/parse-tree.h"

namespace Fortran::semantics {
class SemanticsContext;
}

namespace cufort {

/// Diagnoses in host code what would later access device memory without a
/// trace in the intermediate code: pointers and targets in different memories
/// (also in structure constructors and move_alloc), device data in namelists
/// and as arguments of procedures of the same file that have no explicit
/// interface, results of host functions in device memory that is not allocated.
/// Needs an analysed program; adds to \p messages.
void checkDeviceData(const Fortran::parser::Program &program,
                     Fortran::semantics::SemanticsContext &semantics,
                     Fortran::parser::Messages &messages);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_CHECKS_CHECKDEVICEDATA_H
