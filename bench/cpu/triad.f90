! STREAM triad, real(8): a = b + s*c over 2**25 elements.
program bench
  use timing
  implicit none
  integer, parameter :: n = 2**25
  real(8), allocatable :: a(:), b(:), c(:)
  real(8) :: s
  integer :: i, round
  allocate(a(n), b(n), c(n))
  s = 3
  ! The threads touch first what they work on later.
  !$omp parallel do schedule(static)
  do i = 1, n
    b(i) = 1d0 + mod(i, 1000)
    c(i) = 0.5d0 * b(i)
    a(i) = 0
  end do
  do round = 1, rounds
    call start_clock()
    !$omp parallel do simd schedule(static)
    do i = 1, n
      a(i) = b(i) + s * c(i)
    end do
    call stop_clock()
  end do
  call report(triad_is_right(a))
end program
