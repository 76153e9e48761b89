! MPI_Register_datarep_c calls back what it was given (representation.c stands for the
! library's).
module conversions
  use mpi_f08
  use iso_c_binding
  implicit none
contains
  subroutine read_data(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    type(c_ptr), value :: userbuf, filebuf
    type(MPI_Datatype) :: datatype
    integer(MPI_COUNT_KIND) :: count
    integer(MPI_OFFSET_KIND) :: position
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    integer, pointer :: a(:), b(:)
    call c_f_pointer(userbuf, a, [count])
    call c_f_pointer(filebuf, b, [position + count])
    a = b(position + 1:) + int(extra_state)
    ierror = merge(MPI_SUCCESS, MPI_ERR_TYPE, datatype == MPI_INTEGER)
  end subroutine
  subroutine extent_in_file(datatype, extent, extra_state, ierror)
    type(MPI_Datatype) :: datatype
    integer(MPI_ADDRESS_KIND) :: extent, extra_state
    integer :: ierror
    extent = 4 + extra_state
    ierror = merge(MPI_SUCCESS, MPI_ERR_TYPE, datatype == MPI_INTEGER)
  end subroutine
end module

program representation
  use conversions
  integer :: ierror
  call MPI_Register_datarep_c('mine ', read_data, MPI_CONVERSION_FN_NULL_C, extent_in_file, &
                              1000_MPI_ADDRESS_KIND, ierror)
  print '(a, i0)', 'registered ', ierror
  call PMPI_Register_datarep_c('wrong', read_data, read_data, extent_in_file, &
                               0_MPI_ADDRESS_KIND, ierror)
  print '(a, i0)', 'refused ', ierror
end program
