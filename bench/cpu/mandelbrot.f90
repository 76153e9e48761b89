! The Mandelbrot set, real(8), 1536 x 1024 points: the scalar loop over rows.
program bench
  use timing
  implicit none
  integer, parameter :: width = 1536, height = 1024, most = 1000
  integer, allocatable :: iterations(:, :)
  integer :: round, i, j, k
  real(8) :: cx, cy, x, y, x2, y2
  allocate(iterations(width, height))
  iterations = 0
  do round = 1, rounds
    call start_clock()
    !$omp parallel do schedule(dynamic) private(i, k, cx, cy, x, y, x2, y2)
    do j = 1, height
      do i = 1, width
        cx = -2 + 3 * (i - 0.5d0) / width
        cy = -1 + 2 * (j - 0.5d0) / height
        x = 0
        y = 0
        x2 = 0
        y2 = 0
        k = 0
        do while (x2 + y2 <= 4 .and. k < most)
          y = 2 * x * y + cy
          x = x2 - y2 + cx
          x2 = x * x
          y2 = y * y
          k = k + 1
        end do
        iterations(i, j) = k
      end do
    end do
    call stop_clock()
  end do
  call report(iterations_are_right(iterations, most))
end program
