! A device buffer goes around, by the header (HEADER) or one of the modules (F08
! or the other).
program mpi_ring
  use cudafor
#ifdef F08
  use mpi_f08
#elif !defined(HEADER)
  use mpi
#endif
  implicit none
#ifdef HEADER
  include 'mpif.h'
#endif
  integer :: rank, ranks, ierror, y(4)
  integer, device :: mine(4), other(4)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  mine = rank
  call MPI_Sendrecv(mine, 4, MPI_INTEGER, mod(rank + 1, ranks), 1, other, 4, MPI_INTEGER, &
                    mod(rank - 1 + ranks, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  y = other
  if (any(y /= mod(rank - 1 + ranks, ranks))) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  if (rank == 0) print '(a, i0)', 'ranks ', ranks
  call MPI_Finalize(ierror)
end program
