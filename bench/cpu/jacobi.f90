! Jacobi sweeps of a five-point stencil, real(8), 4096 x 4096; time of 10 sweeps.
program bench
  use timing
  implicit none
  integer, parameter :: n = 4096
  real(8), allocatable, dimension(:, :) :: u, v
  integer :: round, step, j
  allocate(u(n, n), v(n, n))
  !$omp parallel do schedule(static)
  do j = 1, n
    u(:, j) = 0
    v(:, j) = 0
  end do
  do round = 1, rounds
    call initial_field(u)
    v = u
    call start_clock()
    do step = 1, 5
      call sweep(u, v)
      call sweep(v, u)
    end do
    call stop_clock()
  end do
  call report(field_is_right(u))
contains
  subroutine sweep(u, v)
    real(8), intent(in) :: u(n, n)
    real(8), intent(inout) :: v(n, n)
    integer :: i, j
    !$omp parallel do schedule(static) private(i)
    do j = 2, n - 1
      !$omp simd
      do i = 2, n - 1
        v(i, j) = 0.25d0 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
      end do
    end do
  end subroutine
end program
