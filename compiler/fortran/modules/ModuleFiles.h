//===- ModuleFiles.h - module files that can be read back -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_MODULES_MODULEFILES_H
#define CUFORT_COMPILER_FORTRAN_MODULES_MODULEFILES_H

namespace Fortran::semantics {
class SemanticsContext;
}

namespace cufort {

class Textures;

/// Rewrites the module files that semantics has just written for this source
/// file. Flang writes the memory of a derived type's component as a statement
/// of its own (attributes(device) x), which no type may contain, so that
/// users of the module cannot read it; here it becomes part of the
/// component's declaration. Of \p textures it says nothing; here lines at its
/// end do. A file's checksum changes with its text, and with it the lines in
/// which other modules of the source quote it. Needs finished semantics; leaves
/// files as they are that say nothing of the kind. Returns false, with a
/// message on standard error, if a file cannot be rewritten.
bool repairModuleFiles(Fortran::semantics::SemanticsContext &context,
                       const Textures &textures);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_MODULES_MODULEFILES_H
