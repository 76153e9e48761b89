! y = exp(x) * sin(x), real(8), 2**24 elements.
program bench
  use timing
  implicit none
  integer, parameter :: n = 2**24
  real(8), allocatable :: x(:), y(:), h(:)
  integer :: round, i
  allocate(x(n), y(n), h(n))
  call spread_over(h)
  !$omp parallel do schedule(static)
  do i = 1, n
    x(i) = h(i)
    y(i) = 0
  end do
  do round = 1, rounds
    call start_clock()
    !$omp parallel do simd schedule(static)
    do i = 1, n
      y(i) = exp(x(i)) * sin(x(i))
    end do
    call stop_clock()
  end do
  call report(expsin_is_right(y))
end program
