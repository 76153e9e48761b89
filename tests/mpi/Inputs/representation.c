// The function of an MPI library: calls what it is given, as a file would.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int MPI_Register_datarep_c(const char *name,
                           MPI_Datarep_conversion_function_c *read,
                           MPI_Datarep_conversion_function_c *write,
                           MPI_Datarep_extent_function *extent, void *state) {
  int file[5] = {1, 2, 3, 4, 5}, user[3];
  MPI_Aint size = 0;
  int errors = read(user, MPI_INTEGER, 3, file, 2, state);
  errors += extent(MPI_INTEGER, &size, state);
  printf("%s: %d %d %d, %d bytes, %s\n", name, user[0], user[1], user[2],
         (int)size, write ? "written" : "not written");
  return errors;
}

int PMPI_Register_datarep_c(const char *name,
                            MPI_Datarep_conversion_function_c *read,
                            MPI_Datarep_conversion_function_c *write,
                            MPI_Datarep_extent_function *extent, void *state) {
  MPI_Aint size = 0;
  return strcmp(name, "wrong")                     ? 0
         : write && extent(MPI_CHAR, &size, state) ? 7
                                                   : 1;
}
