//===- MpiModules.h - the modules mpi and mpi_f08 ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_MODULES_MPIMODULES_H
#define CUFORT_COMPILER_FORTRAN_MODULES_MPIMODULES_H

#include "llvm/ADT/StringRef.h"
#include <list>
#include <string>

namespace cufort {

/// Whether \p file is a module file of Flang's. Other compilers' have the same
/// names and lie in folders that MPI's wrappers and CMake name with -I.
bool isOwnModuleFile(llvm::StringRef file);

/// The folder with the module file \p name ("mpi.mod") if that is one of MPI's
/// modules and an mpif.h lies in \p folders; else empty, after a message where
/// something is wrong with it. The modules are made when they are first asked
/// for: the constants are the header's, the interfaces those of
/// libraries/mpi/procedures.txt; a second process of this compiler writes the
/// module files. They are kept in the user's cache folder under a name that is
/// made of all that goes into them, and appear there whole or not at all.
std::string mpiModuleFolder(llvm::StringRef name,
                            const std::list<std::string> &folders);

/// What is read where the program includes \p file: that file, unless it is one
/// of MPI's that Flang does not understand.
std::string mpiIncludeFile(const std::string &file);

/// The module \p name has a file that another compiler has written, and none of
/// ours; whether that has been noted, for messages.
void noteForeignModule(llvm::StringRef name);
bool isForeignModule(llvm::StringRef name);

/// Whether \p name is a module of MPI's that has been looked for where there is
/// no mpif.h.
bool lacksMpiHeader(llvm::StringRef name);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_MODULES_MPIMODULES_H
