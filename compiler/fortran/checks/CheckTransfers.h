//===- CheckTransfers.h - device data in assignments of the host ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_CHECKS_CHECKTRANSFERS_H
#define CUFORT_COMPILER_FORTRAN_CHECKS_CHECKTRANSFERS_H

#include "flang/Parser/message.h"
#include "flang/Parser/parse-tree.h"

namespace Fortran::semantics {
class SemanticsContext;
}

namespace cufort {

/// Diagnoses assignments of host code with two device arrays on the right
/// side (guide 3.4.2). In place of Flang's check, which counts managed data too
/// (replaced/AnyFatalError), and c_f_pointer with what is neither a pointer nor
/// a device allocatable, likewise. Needs an analysed program; adds to \p
/// messages.
void checkTransfers(const Fortran::parser::Program &program,
                    const Fortran::semantics::SemanticsContext &semantics,
                    Fortran::parser::Messages &messages);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_CHECKS_CHECKTRANSFERS_H
