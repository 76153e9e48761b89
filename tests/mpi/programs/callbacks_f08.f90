! What mpi_f08 passes by reference to a library that knows nothing of its types:
! handles, callbacks, absent ierror, characters, names in statuses.
module callbacks
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: copies = 0, deletions = 0, errors_seen = 0, last_error = 0
contains
  subroutine largest(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    double precision, pointer :: a(:), b(:)
    if (datatype /= MPI_DOUBLE_PRECISION) call MPI_Abort(MPI_COMM_WORLD, 3)
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    b = max(a, b)
  end subroutine
  subroutine copy_attribute(oldcomm, comm_keyval, extra_state, &
      attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    copies = copies + 1
    attribute_val_out = attribute_val_in + extra_state
    flag = oldcomm == MPI_COMM_WORLD
    ierror = MPI_SUCCESS
  end subroutine
  subroutine delete_attribute(comm, comm_keyval, attribute_val, extra_state, ierror)
    type(MPI_Comm) :: comm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    deletions = deletions + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine on_error(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code
    errors_seen = errors_seen + 1
    last_error = error_code
  end subroutine
  subroutine query(extra_state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
    call MPI_Status_set_elements(status, MPI_INTEGER, int(extra_state))
    call MPI_Status_set_cancelled(status, .false.)
    status%MPI_SOURCE = 5
    status%MPI_TAG = 6
    ierror = MPI_SUCCESS
  end subroutine
  subroutine forget(extra_state, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine
  subroutine cancel(extra_state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine
end module

program main
  use callbacks
  implicit none
  type(MPI_Op) :: op
  type(MPI_Errhandler) :: handler
  type(MPI_Comm) :: comm, copy
  type(MPI_Group) :: group
  type(MPI_Request) :: request
  type(MPI_Status) :: status
  type(MPI_Info) :: info
  type(MPI_Win) :: win
  type(c_ptr) :: address
  integer :: rank, size, keyval, class, count, ierror, f_status(MPI_STATUS_SIZE)
  integer :: disp_unit, previous
  integer(MPI_ADDRESS_KIND) :: value, bytes
  integer, pointer :: shared(:)
  logical :: flag
  double precision :: mine(3), total(3)
  character(len=MPI_MAX_OBJECT_NAME) :: name
  character(len=MPI_MAX_ERROR_STRING) :: text

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(comm=MPI_COMM_WORLD, size=size, ierror=ierror)

  mine = [rank, -rank, 7]
  call MPI_Op_create(largest, .true., op)
  call MPI_Allreduce(mine, total, 3, MPI_DOUBLE_PRECISION, op, MPI_COMM_WORLD)
  call check(all(total == [size - 1, 0, 7]), 'user reduction')
  call MPI_Op_free(op)
  call check(op == MPI_OP_NULL, 'null handle')
  call MPI_Allreduce(MPI_IN_PLACE, mine, 3, MPI_DOUBLE_PRECISION, MPI_SUM, &
                     MPI_COMM_WORLD)
  call check(mine(1) == size * (size - 1) / 2, 'in place')

  call MPI_Comm_create_keyval(copy_attribute, delete_attribute, keyval, &
                              100_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, 11_MPI_ADDRESS_KIND)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy)
  call MPI_Comm_get_attr(copy, keyval, value, flag)
  call check(flag .and. value == 111 .and. copies == 1, 'attribute copied')
  call MPI_Comm_free(copy)
  call check(deletions == 1, 'attribute deleted')
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval)
  call MPI_Comm_free_keyval(keyval)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, &
                              0_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, 12_MPI_ADDRESS_KIND)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Comm_get_attr(comm, keyval, value, flag)
  call check(flag .and. value == 12, 'predefined copy function')
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag)
  call check(flag .and. value >= 32767, 'predefined attribute')

  call MPI_Comm_create_errhandler(on_error, handler)
  call MPI_Comm_set_errhandler(comm, handler)
  call MPI_Send(rank, 1, MPI_INTEGER, size + 5, 0, comm, ierror)
  call MPI_Error_class(last_error, class)
  call check(errors_seen == 1 .and. class == MPI_ERR_RANK, 'error handler')
  call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN)
  call MPI_Send(rank, 1, MPI_INTEGER, size + 5, 0, comm, ierror)
  call check(ierror /= MPI_SUCCESS, 'errors return')
  call MPI_Error_string(ierror, text, count)
  call check(count > 0 .and. len_trim(text) == count, 'text of an error')

  call MPI_Comm_set_name(comm, 'a name of mine')
  call MPI_Comm_get_name(comm, name, count)
  call check(name == 'a name of mine' .and. count == 14, 'name')
  call MPI_Info_create(info)
  call MPI_Info_set(info, 'colour', 'green')
  call MPI_Info_get(info, 'colour', 10, text, flag)
  call check(flag .and. text == 'green', 'info')
  call MPI_Info_free(info)

  call MPI_Grequest_start(query, forget, cancel, 3_MPI_ADDRESS_KIND, request)
  call MPI_Grequest_complete(request)
  call MPI_Wait(request, status)
  call MPI_Get_count(status, MPI_INTEGER, count)
  call check(count == 3, 'generalised request')
  call check(request == MPI_REQUEST_NULL .and. .not. request /= MPI_REQUEST_NULL, &
             'comparison')

  previous = modulo(rank - 1, size)
  call MPI_Irecv(total, 3, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &
                 request)
  call MPI_Send(mine, 2, MPI_DOUBLE_PRECISION, modulo(rank + 1, size), 17, comm)
  call MPI_Wait(request, status)
  call MPI_Get_count(status, MPI_DOUBLE_PRECISION, count)
  call check(status%MPI_SOURCE == previous .and. status%MPI_TAG == 17 .and. &
             count == 2, 'status')
  call MPI_Status_f082f(status, f_status)
  call check(f_status(MPI_SOURCE) == previous, 'status to Fortran')
  status%MPI_TAG = 0
  call MPI_Status_f2f08(f_status, status)
  call check(status%MPI_TAG == 17, 'status from Fortran')

  call MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, copy)
  call MPI_Win_allocate_shared(8_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, copy, address, &
                               win)
  call c_f_pointer(address, shared, [2])
  shared = 10 * rank + [1, 2]
  call MPI_Win_fence(0, win)
  call MPI_Win_shared_query(win, previous, bytes, disp_unit, address)
  call c_f_pointer(address, shared, [2])
  call check(bytes == 8 .and. disp_unit == 4 .and. &
             all(shared == 10 * previous + [1, 2]), 'shared window')
  call MPI_Win_fence(0, win)
  call MPI_Win_free(win)
  call MPI_Alloc_mem(80_MPI_ADDRESS_KIND, MPI_INFO_NULL, address)
  call c_f_pointer(address, shared, [20])
  shared = 5
  call MPI_Sizeof(shared, count)
  call check(count == 4, 'MPI_Sizeof')
  call MPI_Free_mem(shared)

  call MPI_Comm_group(comm, group)
  call MPI_Group_size(group, count)
  call check(count == size, 'group')
  call MPI_Group_free(group)
  call MPI_Barrier(comm)
  call MPI_Comm_free(comm)
  if (rank == 0 .and. MPI_Wtime() >= 0) print '(a)', 'PASSED'
  call MPI_Finalize()
contains
  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    print '(a,i0,2a)', 'FAILED on rank ', rank, ': ', what
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine
end program
