! The same inner product with an OpenMP reduction.
module sums
  implicit none
contains
  real(8) function inner_product(u, v) result(total)
    real(8), intent(in), contiguous :: u(0:, 0:, 0:), v(0:, 0:, 0:)
    integer :: i, j, k
    total = 0
    !$omp parallel do schedule(static) reduction(+:total)
    do k = 1, ubound(u, 3) - 1
      do j = 1, ubound(u, 2) - 1
        !$omp simd reduction(+:total)
        do i = 1, ubound(u, 1) - 1
          total = total + u(i, j, k) * v(i, j, k)
        end do
      end do
    end do
  end function
end module

program bench
  use sums
  use timing
  implicit none
  integer, parameter :: n = 256
  real(8), allocatable, dimension(:, :, :) :: u, v
  real(8) :: total
  integer :: round, k
  allocate(u(0:n + 1, 0:n + 1, 0:n + 1), v(0:n + 1, 0:n + 1, 0:n + 1))
  !$omp parallel do schedule(static)
  do k = 0, n + 1
    u(:, :, k) = 0
    v(:, :, k) = 0.5d0
  end do
  call fill_space(u)
  do round = 1, rounds
    call start_clock()
    total = inner_product(u, v)
    call stop_clock()
  end do
  call report(abs(total - 0.5d0 * sum(u(1:n, 1:n, 1:n))) < 1d-9 * total)
end program
