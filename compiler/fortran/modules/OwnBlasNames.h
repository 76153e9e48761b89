//===- OwnBlasNames.h - a program's own dgemm, and cublas's -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_MODULES_OWNBLASNAMES_H
#define CUFORT_COMPILER_FORTRAN_MODULES_OWNBLASNAMES_H

#include <string>
#include <vector>

namespace Fortran::parser {
struct Program;
}

namespace cufort {

/// Hides the plain names of BLAS that the module cublas has from scoping units
/// that use the whole module and declare such names themselves: 'external
/// dgemm', 'real(8) ddot', an interface or a procedure of that name. These mean
/// the host's library then, as without the module. The USE statement gets a
/// renaming. Needs a parsed program, before semantics; \p moduleFolders is
/// where the file of the module may be.
void hideOwnBlasNames(Fortran::parser::Program &program,
                      const std::vector<std::string> &moduleFolders);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_MODULES_OWNBLASNAMES_H
