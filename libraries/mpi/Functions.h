//===- Functions.h - what the procedures of mpi_f08 call --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_MPI_FUNCTIONS_H
#define CUFORT_LIBRARIES_MPI_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

/// Ends the program: its MPI has no procedure \p name.
_Noreturn void cufort_mpi_lacks(const char *name);

/// Ends the program if C's function \p name takes no handles of Fortran's.
void cufort_mpi_needs_large(const char *name);

/// What C's functions take for a buffer and a status of Fortran's.
void *cufort_mpi_buffer(void *address);
void *cufort_mpi_status(void *address);

/// The longest text that is passed to C; longer ones are cut.
enum { MostCharacters = 128 };
/// \p text of \p length without the blanks at its end, as C has it.
void cufort_mpi_text(char result[MostCharacters], const char *text,
                     size_t length);

/// C's functions take these by value; all arguments are registers.
static inline void *cufort_mpi_int(const void *address) {
  return (void *)(intptr_t)*(const int *)address;
}
static inline void *cufort_mpi_long(const void *address) {
  return (void *)*(const intptr_t *)address;
}

#endif // CUFORT_LIBRARIES_MPI_FUNCTIONS_H
