! A histogram of 2**25 integers in 256 bins: every thread counts for itself.
program bench
  use timing
  implicit none
  integer, parameter :: n = 2**25, bins = 256
  integer, allocatable :: values(:), h(:)
  integer :: counts(0:bins - 1)
  integer :: round, i
  allocate(values(n), h(n))
  call random_values(h)
  !$omp parallel do schedule(static)
  do i = 1, n
    values(i) = h(i)
  end do
  do round = 1, rounds
    counts = 0
    call start_clock()
    !$omp parallel do schedule(static) reduction(+:counts)
    do i = 1, n
      counts(iand(values(i), bins - 1)) = counts(iand(values(i), bins - 1)) + 1
    end do
    call stop_clock()
  end do
  call report(counts_are_right(h, counts))
end program
