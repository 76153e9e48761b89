! The dot product of 2**25 real(8) with an OpenMP reduction.
program bench
  use timing
  implicit none
  integer, parameter :: n = 2**25
  real(8), allocatable :: a(:), b(:)
  real(8) :: total, expected
  integer :: i, round
  allocate(a(n), b(n))
  !$omp parallel do schedule(static)
  do i = 1, n
    a(i) = 1d0 + mod(i, 1000)
    b(i) = 0.5d0
  end do
  expected = 0.5d0 * sum(a)
  do round = 1, rounds
    call start_clock()
    total = 0
    !$omp parallel do simd schedule(static) reduction(+:total)
    do i = 1, n
      total = total + a(i) * b(i)
    end do
    call stop_clock()
  end do
  call report(abs(total - expected) < 1d-9 * expected)
end program
