C     include 'mpif.h' in fixed form, arguments of every type without interfaces.
      program header
      implicit none
      include 'mpif.h'
      integer rank, size, error, status(MPI_STATUS_SIZE), n
      integer next, previous, request(2), statuses(MPI_STATUS_SIZE, 2)
      double precision a(10), b(10), t
      character*8 text, got
      logical yes
      integer(kind=MPI_ADDRESS_KIND) first, second, distance
      call MPI_INIT(error)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, size, error)
      next = mod(rank + 1, size)
      previous = mod(rank + size - 1, size)
      a = rank
      b = -1
      call MPI_IRECV(b, 10, MPI_DOUBLE_PRECISION, previous, 3,
     &               MPI_COMM_WORLD, request(1), error)
      call MPI_ISEND(a, 10, MPI_DOUBLE_PRECISION, next, 3,
     &               MPI_COMM_WORLD, request(2), error)
      call MPI_WAITALL(2, request, statuses, error)
      if (any(b .ne. previous)) call fail('MPI_Waitall')
      write (text, '(a,i0)') 'rank ', rank
      call MPI_SENDRECV(text, 8, MPI_CHARACTER, next, 4, got, 8,
     &                  MPI_CHARACTER, previous, 4, MPI_COMM_WORLD,
     &                  status, error)
      write (text, '(a,i0)') 'rank ', previous
      if (got .ne. text) call fail('characters')
      call MPI_GET_COUNT(status, MPI_CHARACTER, n, error)
      if (n .ne. 8 .or. status(MPI_SOURCE) .ne. previous)
     &  call fail('status')
      yes = rank .ne. 0
      call MPI_ALLREDUCE(MPI_IN_PLACE, yes, 1, MPI_LOGICAL, MPI_LOR,
     &                   MPI_COMM_WORLD, error)
      if (yes .neqv. size .gt. 1) call fail('logical')
      call MPI_GET_ADDRESS(a(1), first, error)
      call MPI_GET_ADDRESS(a(3), second, error)
      distance = second - first
      if (distance .ne. 16) call fail('MPI_Get_address')
      t = MPI_WTIME()
      if (t .lt. 0) call fail('MPI_Wtime')
      call MPI_BARRIER(MPI_COMM_WORLD, error)
      if (rank .eq. 0) print '(a)', 'PASSED'
      call MPI_FINALIZE(error)
      contains
      subroutine fail(what)
      character*(*) what
      print *, 'FAILED on rank ', rank, ': ', what
      call MPI_ABORT(MPI_COMM_WORLD, 1, error)
      end subroutine
      end
