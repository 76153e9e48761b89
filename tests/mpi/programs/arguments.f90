! What 'use mpi' takes as a buffer: scalars, sections with gaps (copied in and
! out), pointers, characters, derived types, absolute addresses; and what it
! declares beside: two forms of a base address, files, windows, graphs.
program arguments
  use mpi
  use, intrinsic :: iso_c_binding
  implicit none
  type particle
    double precision :: x
    integer :: kind
    character(len=4) :: name
  end type
  type(particle) :: mine(2), got(2)
  integer :: rank, size, error, next, previous, status(MPI_STATUS_SIZE), type, i
  integer :: requests(2), lengths(3), kinds(3), graph, window, indegree, outdegree
  integer :: codes(1), comm, unit
  integer(MPI_ADDRESS_KIND) :: places(3), start, base, bytes
  integer, target :: matrix(4, 4), other(4, 4)
  integer, pointer :: part(:, :), memory(:)
  integer(MPI_OFFSET_KIND) :: length
  type(c_ptr) :: address
  logical :: weighted, flag
  character(len=6) :: words(2), received(2)
  character(len=MPI_MAX_PROCESSOR_NAME) :: name

  call MPI_Init_thread(MPI_THREAD_FUNNELED, i, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  next = modulo(rank + 1, size)
  previous = modulo(rank - 1, size)
  call MPI_Get_processor_name(name, i, error)
  call check(i == len_trim(name), 'name of the machine')

  matrix = reshape([(100 * rank + i, i=1, 16)], [4, 4])
  other = 0
  call MPI_Sendrecv(matrix(2, :), 4, MPI_INTEGER, next, 1, other(3, :), 4, &
                    MPI_INTEGER, previous, 1, MPI_COMM_WORLD, status, error)
  call check(all(other(3, :) == 100 * previous + [2, 6, 10, 14]) .and. &
             all(other(4, :) == 0), 'sections with gaps')
  part => matrix(1:3:2, 2:3)
  call MPI_Bcast(part, 4, MPI_INTEGER, size - 1, MPI_COMM_WORLD, error)
  call check(all(matrix(:, 2) == [100 * (size - 1) + 5, 100 * rank + 6, &
                                  100 * (size - 1) + 7, 100 * rank + 8]), 'pointer')
  words = ['alpha ', 'beta  ']
  call MPI_Sendrecv(words, 12, MPI_CHARACTER, next, 2, received, 12, MPI_CHARACTER, &
                    previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call check(all(received == words), 'characters')
  call MPI_Bcast(words(1)(2:3), 2, MPI_CHARACTER, 0, MPI_COMM_WORLD, error)

  mine = [particle(rank + 0.5d0, rank, 'abcd'), particle(rank + 0.25d0, 7, 'efgh')]
  call MPI_Get_address(mine(1), start, error)
  call MPI_Get_address(mine(1)%x, places(1), error)
  call MPI_Get_address(mine(1)%kind, places(2), error)
  call MPI_Get_address(mine(1)%name, places(3), error)
  lengths = [1, 1, 4]
  kinds = [MPI_DOUBLE_PRECISION, MPI_INTEGER, MPI_CHARACTER]
  call MPI_Type_create_struct(3, lengths, places - start, kinds, type, error)
  call MPI_Type_commit(type, error)
  call MPI_Sendrecv(mine, 2, type, next, 3, got, 2, type, previous, 3, &
                    MPI_COMM_WORLD, status, error)
  call check(all(got%x == previous + [0.5d0, 0.25d0]) .and. got(1)%kind == previous &
             .and. got(2)%name == 'efgh', 'derived type')
  call MPI_Type_free(type, error)
  call MPI_Type_create_struct(3, lengths, places, kinds, type, error)
  call MPI_Type_commit(type, error)
  call MPI_Sendrecv(MPI_BOTTOM, 1, type, next, 4, got, 16, MPI_BYTE, previous, 4, &
                    MPI_COMM_WORLD, status, error)
  call check(got(1)%x == previous + 0.5d0, 'absolute addresses')
  call MPI_Type_free(type, error)
  i = 5
  call MPI_Allreduce(i, codes, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call check(codes(1) == 5 * size, 'scalar')

  call MPI_Alloc_mem(40_MPI_ADDRESS_KIND, MPI_INFO_NULL, address, error)
  call c_f_pointer(address, memory, [10])
  memory = rank
  call MPI_Free_mem(memory, error)
  call MPI_Alloc_mem(40_MPI_ADDRESS_KIND, MPI_INFO_NULL, base, error)
  call check(base /= 0, 'address as an integer')
  call MPI_Win_create(other, 64_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &
                      window, error)
  other = rank
  call MPI_Win_fence(0, window, error)
  call MPI_Put(rank, 1, MPI_INTEGER, next, 3_MPI_ADDRESS_KIND, 1, MPI_INTEGER, window, &
               error)
  call MPI_Win_fence(0, window, error)
  call check(other(4, 1) == previous .and. other(1, 2) == rank, 'MPI_Put')
  call MPI_Win_free(window, error)
  call MPI_Win_allocate(16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &
                        address, window, error)
  call MPI_Win_get_attr(window, MPI_WIN_SIZE, bytes, flag, error)
  call check(flag .and. bytes == 16, 'attribute of a window')
  call MPI_Win_free(window, error)

  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [previous], MPI_UNWEIGHTED, &
                                      1, [next], MPI_UNWEIGHTED, MPI_INFO_NULL, &
                                      .false., graph, error)
  call MPI_Dist_graph_neighbors_count(graph, indegree, outdegree, weighted, error)
  call check(indegree == 1 .and. outdegree == 1 .and. .not. weighted, 'graph')
  call MPI_Ineighbor_alltoall(rank, 1, MPI_INTEGER, i, 1, MPI_INTEGER, graph, &
                              requests(1), error)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
  call check(i == previous, 'MPI_Ineighbor_alltoall')

  call MPI_File_open(MPI_COMM_WORLD, 'arguments.data', &
                     ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, unit, error)
  call MPI_File_set_view(unit, int(64 * rank, MPI_OFFSET_KIND), MPI_INTEGER, &
                         MPI_INTEGER, 'native', MPI_INFO_NULL, error)
  call MPI_File_write_all(unit, matrix, 16, MPI_INTEGER, status, error)
  call MPI_File_sync(unit, error)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_File_get_size(unit, length, error)
  call MPI_File_close(unit, error)
  call check(length == 64 * size, 'MPI_File_write_all')
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, comm, error)
  call MPI_Comm_compare(MPI_COMM_WORLD, comm, i, error)
  call check(i /= MPI_IDENT .and. MPI_COMM_NULL /= comm, 'MPI_Comm_split')
  call MPI_Comm_free(comm, error)
  call check(.not. MPI_SUBARRAYS_SUPPORTED, 'MPI_SUBARRAYS_SUPPORTED')
  call check(MPI_Aint_add(base, 8_MPI_ADDRESS_KIND) == base + 8, 'MPI_Aint_add')
  call MPI_Barrier(MPI_COMM_WORLD, error)
  if (rank == 0) print '(a)', 'PASSED'
  call MPI_Finalize(error)
contains
  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    print '(a,i0,2a)', 'FAILED on rank ', rank, ': ', what
    call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end subroutine
end program
