//===- LocalNames.h - a program's own names win -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_MODULES_LOCALNAMES_H
#define CUFORT_COMPILER_FORTRAN_MODULES_LOCALNAMES_H

#include <string>
#include <vector>

namespace Fortran::parser {
struct Program;
}

namespace cufort {

/// Lets device procedures declare variables and dummy arguments with names of
/// the module cudadevice (`integer(8) :: clock`, as in the guide's 3.6.4.2):
/// Flang puts an implicit use of that module into every device procedure and
/// then takes the declaration for a second one. Within the procedure the first
/// letter of such a name becomes an underscore in the cooked source, with which
/// no name of Fortran's begins: another name of the same length, at the same
/// place. Needs a parsed program, before semantics, with
/// the procedures' attributes in their prefixes. \p moduleFolders is where
/// cudadevice.mod may be.
void separateLocalNames(Fortran::parser::Program &program,
                        const std::vector<std::string> &moduleFolders);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_MODULES_LOCALNAMES_H
