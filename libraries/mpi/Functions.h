//===- Functions.h - what the procedures of mpi_f08 call --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_MPI_FUNCTIONS_H
#define CUFORT_LIBRARIES_MPI_FUNCTIONS_H

#include <stddef.h>

/// Ends the program: its MPI has no procedure \p name.
_Noreturn void cufort_mpi_lacks(const char *name);

#endif // CUFORT_LIBRARIES_MPI_FUNCTIONS_H
