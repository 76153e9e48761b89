! The seven-point stencil with OpenMP, real(8), 256 x 256 x 256; time of five
! sweeps.
module sweeps
  implicit none
contains
  subroutine sweep(u, v)
    real(8), intent(in), contiguous :: u(0:, 0:, 0:)
    real(8), contiguous :: v(0:, 0:, 0:)
    integer :: i, j, k
    !$omp parallel do schedule(static)
    do k = 1, ubound(u, 3) - 1
      do j = 1, ubound(u, 2) - 1
        !$omp simd
        do i = 1, ubound(u, 1) - 1
          v(i, j, k) = 0.1d0 * (u(i - 1, j, k) + u(i + 1, j, k) + u(i, j - 1, k) &
            + u(i, j + 1, k) + u(i, j, k - 1) + u(i, j, k + 1)) + 0.4d0 * u(i, j, k)
        end do
      end do
    end do
  end subroutine
end module

program bench
  use sweeps
  use timing
  implicit none
  integer, parameter :: n = 256, times = 5
  real(8), allocatable, dimension(:, :, :) :: u, v
  integer :: round, m, k
  allocate(u(0:n + 1, 0:n + 1, 0:n + 1), v(0:n + 1, 0:n + 1, 0:n + 1))
  !$omp parallel do schedule(static)
  do k = 0, n + 1
    u(:, :, k) = 0
    v(:, :, k) = 0
  end do
  call fill_space(u)
  do round = 1, rounds
    call start_clock()
    do m = 1, times
      call sweep(u, v)
    end do
    call stop_clock()
  end do
  call report(space_is_right(v))
end program
