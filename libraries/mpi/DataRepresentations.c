//===- DataRepresentations.c - MPI_Register_datarep_c in mpi_f08 ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library has it for C alone, and calls C's functions back, which take by
// value what Fortran's take by reference. Handles are the same integers in
// both: no other library is called (cufort_mpi_needs_large).
//
//===----------------------------------------------------------------------===//

#include "libraries/mpi/Functions.h"
#include <stdlib.h>

typedef void FortranConversion(void *userbuf, int *datatype, int64_t *count,
                               void *filebuf, int64_t *position,
                               intptr_t *extraState, int *ierror);
typedef void FortranExtent(int *datatype, intptr_t *extent,
                           intptr_t *extraState, int *ierror);
typedef int Conversion(void *userbuf, int datatype, int64_t count,
                       void *filebuf, int64_t position, void *extraState);
typedef int Extent(int datatype, intptr_t *extent, void *extraState);
typedef int Register(const char *name, Conversion *read, Conversion *write,
                     Extent *extent, void *extraState);

extern Register MPI_Register_datarep_c, PMPI_Register_datarep_c;

/// What C's functions get as extra state. A representation cannot be removed,
/// so this is never freed.
struct Representation {
  FortranConversion *read, *write;
  FortranExtent *extent;
  intptr_t extraState;
};

static int readData(void *userbuf, int datatype, int64_t count, void *filebuf,
                    int64_t position, void *state) {
  struct Representation *own = state;
  int error = 0;
  own->read(userbuf, &datatype, &count, filebuf, &position, &own->extraState,
            &error);
  return error;
}

static int writeData(void *userbuf, int datatype, int64_t count, void *filebuf,
                     int64_t position, void *state) {
  struct Representation *own = state;
  int error = 0;
  own->write(userbuf, &datatype, &count, filebuf, &position, &own->extraState,
             &error);
  return error;
}

static int extentInFile(int datatype, intptr_t *extent, void *state) {
  struct Representation *own = state;
  int error = 0;
  own->extent(&datatype, extent, &own->extraState, &error);
  return error;
}

/// MPI_CONVERSION_FN_NULL_C: only its address means something. Later libraries
/// may have one.
__attribute__((weak)) void
mpi_conversion_fn_null_c_(void *userbuf, int *datatype, int64_t *count,
                          void *filebuf, int64_t *position,
                          intptr_t *extraState, int *ierror) {
  (void)userbuf, (void)datatype, (void)count, (void)filebuf, (void)position,
      (void)extraState;
  *ierror = 0;
}

static Conversion *conversion(FortranConversion *given, Conversion *own) {
  return given == mpi_conversion_fn_null_c_ ? NULL : own;
}

static void registerData(Register *function, const char *name,
                         FortranConversion *read, FortranConversion *write,
                         FortranExtent *extent, const intptr_t *extraState,
                         int *ierror, size_t length) {
  cufort_mpi_needs_large("MPI_Register_datarep_c");
  char text[MostCharacters];
  cufort_mpi_text(text, name, length);
  struct Representation *own = malloc(sizeof *own);
  if (!own)
    abort();
  *own = (struct Representation){read, write, extent, *extraState};
  const int error = function(text, conversion(read, readData),
                             conversion(write, writeData), extentInFile, own);
  if (error)
    free(own);
  if (ierror)
    *ierror = error;
}

void cufort_large_mpi_register_datarep_c_(const char *name,
                                          FortranConversion *read,
                                          FortranConversion *write,
                                          FortranExtent *extent,
                                          const intptr_t *extraState,
                                          int *ierror, size_t length) {
  registerData(MPI_Register_datarep_c, name, read, write, extent, extraState,
               ierror, length);
}

void cufort_large_pmpi_register_datarep_c_(const char *name,
                                           FortranConversion *read,
                                           FortranConversion *write,
                                           FortranExtent *extent,
                                           const intptr_t *extraState,
                                           int *ierror, size_t length) {
  registerData(PMPI_Register_datarep_c, name, read, write, extent, extraState,
               ierror, length);
}
