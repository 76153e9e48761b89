! A sum, real(8), 2**25 elements; for shuffle.cuf as well.
program bench
  use timing
  implicit none
  integer, parameter :: n = 2**25
  real(8), allocatable :: x(:)
  real(8) :: total
  integer :: i, round
  allocate(x(n))
  !$omp parallel do schedule(static)
  do i = 1, n
    x(i) = 1d0 / (1 + mod(i, 4096))
  end do
  do round = 1, rounds
    call start_clock()
    total = 0
    !$omp parallel do simd schedule(static) reduction(+:total)
    do i = 1, n
      total = total + x(i)
    end do
    call stop_clock()
  end do
  call report(abs(total - sum_of(x)) < 1d-10 * total)
end program
