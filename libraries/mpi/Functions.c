//===- Functions.c - what of mpi_f08 is not in the table ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No header of MPI is included: the functions are the same for every library,
// which the program chooses when it is linked.
//
//===----------------------------------------------------------------------===//

#include "libraries/mpi/Functions.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// How Flang's descriptors begin, of which no more is read.
struct Descriptor {
  void *address;
  size_t elementSize;
};

void cufort_mpi_lacks(const char *name) {
  fprintf(stderr,
          "cufort: the MPI library that this program is linked with has no "
          "%s\n",
          name);
  exit(1);
}

__attribute__((weak)) extern char ompi_mpi_comm_world[];

void cufort_mpi_needs_large(const char *name) {
  if (!ompi_mpi_comm_world)
    return;
  fprintf(stderr,
          "cufort: %s, for large counts, cannot be called from Fortran with "
          "Open MPI\n",
          name);
  exit(1);
}

/// MPICH's common block of MPI_BOTTOM, MPI_IN_PLACE and MPI_STATUS_IGNORE, and
/// what C has for them.
__attribute__((weak)) extern int mpipriv1_[];

void *cufort_mpi_buffer(void *address) {
  if (mpipriv1_ && address == mpipriv1_)
    return NULL;
  return mpipriv1_ && address == mpipriv1_ + 1 ? (void *)(intptr_t)-1 : address;
}

void *cufort_mpi_status(void *address) {
  return mpipriv1_ && address == mpipriv1_ + 2 ? (void *)(intptr_t)1 : address;
}

void cufort_mpi_text(char result[MostCharacters], const char *text,
                     size_t length) {
  while (length && text[length - 1] == ' ')
    --length;
  if (length >= MostCharacters)
    length = MostCharacters - 1;
  memcpy(result, text, length);
  result[length] = 0;
}

static void succeed(int *ierror) {
  if (ierror)
    *ierror = 0;
}

static void sizeOf(const struct Descriptor *x, int *size, int *ierror) {
  *size = (int)x->elementSize;
  succeed(ierror);
}

static void toF08(const int *from, struct Descriptor *to, int *ierror) {
  memcpy(to->address, from, to->elementSize);
  succeed(ierror);
}

static void fromF08(const struct Descriptor *from, int *to, int *ierror) {
  memcpy(to, from->address, from->elementSize);
  succeed(ierror);
}

/// A procedure under a name of both modules, or of mpi_f08 alone.
#define PROCEDURE(NAME, FUNCTION, FROM, TO)                                    \
  void NAME(FROM, TO, int *ierror) { FUNCTION(x, y, ierror); }
#define SIZEOF(NAME) PROCEDURE(NAME, sizeOf, const struct Descriptor *x, int *y)
SIZEOF(cufort_mpi_sizeof_)
SIZEOF(cufort_pmpi_sizeof_)
SIZEOF(cufort_f08_mpi_sizeof_)
SIZEOF(cufort_f08_pmpi_sizeof_)
PROCEDURE(cufort_mpi_status_f2f08_, toF08, const int *x, struct Descriptor *y)
PROCEDURE(cufort_pmpi_status_f2f08_, toF08, const int *x, struct Descriptor *y)
PROCEDURE(cufort_mpi_status_f082f_, fromF08, const struct Descriptor *x, int *y)
PROCEDURE(cufort_pmpi_status_f082f_, fromF08, const struct Descriptor *x,
          int *y)

extern int MPI_Buffer_detach(void *address, int *size);
extern int PMPI_Buffer_detach(void *address, int *size);

/// mpif.h's does not give the address.
void cufort_f08_mpi_buffer_detach_(void **address, int *size, int *ierror) {
  const int error = MPI_Buffer_detach(address, size);
  if (ierror)
    *ierror = error;
}

void cufort_f08_pmpi_buffer_detach_(void **address, int *size, int *ierror) {
  const int error = PMPI_Buffer_detach(address, size);
  if (ierror)
    *ierror = error;
}
