! Matrix addition, real(4), 8192 x 4096.
program bench
  use timing
  implicit none
  integer, parameter :: n1 = 8192, n2 = 4096
  real, allocatable, dimension(:, :) :: a, b, c
  integer :: i, j, round
  allocate(a(n1, n2), b(n1, n2), c(n1, n2))
  !$omp parallel do schedule(static)
  do j = 1, n2
    do i = 1, n1
      b(i, j) = i + j
      c(i, j) = 0.5 * mod(i * j, 100)
      a(i, j) = 0
    end do
  end do
  do round = 1, rounds
    call start_clock()
    !$omp parallel do schedule(static)
    do j = 1, n2
      !$omp simd
      do i = 1, n1
        a(i, j) = b(i, j) + c(i, j)
      end do
    end do
    call stop_clock()
  end do
  call report(all(a == b + c))
end program
