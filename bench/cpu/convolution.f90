! A convolution with 5 x 5 coefficients, real(4), 4096 x 4096. The inner elements
! in a vector loop, those near the border apart.
program bench
  use timing
  implicit none
  integer, parameter :: n = 4096, radius = 2
  real, allocatable :: a(:, :), b(:, :), h(:, :)
  real :: w(-radius:radius, -radius:radius)
  integer :: round, j
  allocate(a(n, n), b(n, n), h(n, n))
  call make_picture(h, w)
  !$omp parallel do schedule(static)
  do j = 1, n
    a(:, j) = h(:, j)
    b(:, j) = 0
  end do
  do round = 1, rounds
    call start_clock()
    call convolve(a, b)
    call stop_clock()
  end do
  call report(convolution_is_right(h, w, b))
contains
  subroutine convolve(a, b)
    real, intent(in) :: a(n, n)
    real, intent(inout) :: b(n, n)
    real :: total
    integer :: i, j, k, l, row(-radius:radius)
    !$omp parallel do schedule(static) private(i, k, l, row, total)
    do j = 1, n
      do l = -radius, radius
        row(l) = min(max(j + l, 1), n)
      end do
      do i = 1, radius
        b(i, j) = at_border(a, i, row)
        b(n + 1 - i, j) = at_border(a, n + 1 - i, row)
      end do
      !$omp simd private(total, k, l)
      do i = radius + 1, n - radius
        total = 0
        do l = -radius, radius
          do k = -radius, radius
            total = total + w(k, l) * a(i + k, row(l))
          end do
        end do
        b(i, j) = total
      end do
    end do
  end subroutine

  real function at_border(a, i, row) result(total)
    real, intent(in) :: a(n, n)
    integer, intent(in) :: i, row(-radius:radius)
    integer :: k, l
    total = 0
    do l = -radius, radius
      do k = -radius, radius
        total = total + w(k, l) * a(min(max(i + k, 1), n), row(l))
      end do
    end do
  end function
end program
