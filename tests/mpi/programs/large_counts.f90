! Forms with large counts of mpi_f08 that have other arguments than the short
! ones: user reductions, attached buffers, packing, datatypes, windows.
! ONLY: mpich
module reductions
  use mpi_f08
  use iso_c_binding
  implicit none
contains
  subroutine largest(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer(MPI_COUNT_KIND) :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    if (datatype == MPI_INTEGER) b = max(a, b)
  end subroutine
end module

program large_counts
  use reductions
  implicit none
  integer(MPI_COUNT_KIND), parameter :: one = 1, n = 100
  integer(MPI_ADDRESS_KIND), parameter :: four = 4
  type(MPI_Op) :: op
  type(MPI_Win) :: win
  type(MPI_Datatype) :: vector, types(1)
  type(MPI_Comm) :: node
  type(c_ptr) :: place
  integer(MPI_COUNT_KIND) :: bytes, position, integers, addresses, counts, kinds
  integer(MPI_COUNT_KIND) :: large(3)
  integer(MPI_ADDRESS_KIND) :: window, unit, none(1)
  integer :: rank, size, next, previous, i, combiner, few(1)
  integer :: a(n), b(n), got
  integer, pointer :: mine(:), theirs(:)
  character, allocatable, target :: buffer(:), packed(:)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  next = modulo(rank + 1, size)
  previous = modulo(rank - 1, size)
  a = [(modulo(i * (rank + 3), 101), i = 1, int(n))]

  call MPI_Op_create_c(largest, .true., op)
  call MPI_Allreduce(a, b, n, MPI_INTEGER, op, MPI_COMM_WORLD)
  call MPI_Op_free(op)
  call MPI_Allreduce(MPI_IN_PLACE, a, n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
  call check(all(a == b), 'a reduction of the program')

  bytes = 4 * n + MPI_BSEND_OVERHEAD
  allocate (buffer(bytes))
  call MPI_Buffer_attach(buffer, bytes)
  call MPI_Bsend([(rank, i = 1, int(n))], n, MPI_INTEGER, next, 1, MPI_COMM_WORLD)
  call MPI_Recv(b, n, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  position = 0
  call MPI_Buffer_detach(place, position)
  call check(all(b == previous) .and. position == bytes .and. &
             c_associated(place, c_loc(buffer)), 'an attached buffer')

  call MPI_Pack_external_size('external32', n, MPI_INTEGER, bytes)
  allocate (packed(bytes))
  position = 0
  call MPI_Pack_external('external32', a, n, MPI_INTEGER, packed, bytes, position)
  call check(bytes == 4 * n .and. position == bytes, 'packing')
  call check(iachar(packed(4)) == a(1) .and. iachar(packed(1)) == 0, 'big end first')
  position = 0
  b = -1
  call MPI_Unpack_external('external32', packed, bytes, position, b, n, MPI_INTEGER)
  call check(all(a == b), 'unpacking')

  call MPI_Type_vector(3_MPI_COUNT_KIND, one, 5_MPI_COUNT_KIND, MPI_INTEGER, vector)
  call MPI_Type_get_envelope(vector, integers, addresses, counts, kinds, combiner)
  call check(combiner == MPI_COMBINER_VECTOR .and. integers + counts == 3 .and. &
             addresses == 0 .and. kinds == 1, 'what a type is made of')
  if (counts == 3) then
    call MPI_Type_get_contents(vector, integers, addresses, counts, kinds, few, &
                               none, large, types)
    call check(all(large == [3, 1, 5]) .and. types(1) == MPI_INTEGER, 'its numbers')
  end if
  call MPI_Type_free(vector)

  b = rank
  call MPI_Win_create(b, 4 * n, four, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call MPI_Win_fence(0, win)
  call MPI_Get(got, one, MPI_INTEGER, next, 7_MPI_ADDRESS_KIND, one, MPI_INTEGER, win)
  call MPI_Win_fence(0, win)
  call MPI_Win_free(win)
  call check(got == next, 'a window')

  call MPI_Win_allocate(4 * n, four, MPI_INFO_NULL, MPI_COMM_WORLD, place, win)
  call c_f_pointer(place, mine, [n])
  mine = 10 * rank
  call MPI_Win_fence(0, win)
  call MPI_Get(got, one, MPI_INTEGER, previous, 3_MPI_ADDRESS_KIND, one, MPI_INTEGER, win)
  call MPI_Win_fence(0, win)
  call MPI_Win_free(win)
  call check(got == 10 * previous, 'an allocated window')

  call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, node)
  call MPI_Comm_rank(node, rank)
  call MPI_Comm_size(node, size)
  next = modulo(rank + 1, size)
  call MPI_Win_allocate_shared(4 * n, four, MPI_INFO_NULL, node, place, win)
  call c_f_pointer(place, mine, [n])
  call MPI_Win_fence(0, win)
  mine = 7 * rank
  call MPI_Win_fence(0, win)
  call MPI_Win_shared_query(win, next, window, unit, place)
  call c_f_pointer(place, theirs, [n])
  call check(window == 4 * n .and. unit == 4 .and. theirs(50) == 7 * next, &
             'shared memory')
  call MPI_Win_fence(0, win)
  call MPI_Win_free(win)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 0) print *, 'PASSED'
  call MPI_Finalize()
contains
  subroutine check(good, what)
    logical, intent(in) :: good
    character(len=*), intent(in) :: what
    if (.not. good) then
      print *, 'FAILED: ', what
      call MPI_Abort(MPI_COMM_WORLD, 1)
    end if
  end subroutine
end program
