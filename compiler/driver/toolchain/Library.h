//===- Library.h - objects to a static library ------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_TOOLCHAIN_LIBRARY_H
#define CUFORT_COMPILER_DRIVER_TOOLCHAIN_LIBRARY_H

#include "compiler/driver/options/CommandLine.h"
#include "llvm/ADT/ArrayRef.h"

namespace cufort::driver {

/// -lib: writes what was compiled (\p objects, one for each source of \p line)
/// and the objects of the command line to the archive \p output, device code
/// and all. False after a diagnostic.
bool writeLibrary(const CommandLine &line, llvm::ArrayRef<std::string> objects,
                  const std::string &output);

/// True if \p input of the linker is a library of MPI's: -lmpi_mpifh, or the
/// path of libmpich.so. What stands before its functions (libraries/mpi) is
/// linked before it.
bool isMpiLibrary(const LinkInput &input);

/// True if an object of the command line is a device link's output (-dlink):
/// the program's device code is in it.
bool hasLinkedDeviceCode(const CommandLine &line);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_TOOLCHAIN_LIBRARY_H
