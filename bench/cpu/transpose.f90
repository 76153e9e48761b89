! Transpose, real(4), 8192 x 8192: in tiles through a padded buffer in the first
! cache, since columns of the matrix lie a power of two apart.
program bench
  use timing
  implicit none
  integer, parameter :: n = 8192, tile = 32
  real, allocatable :: a(:, :), b(:, :), h(:, :)
  real :: t(0:tile, 0:tile - 1)
  integer :: round, i, j, ii, jj
  allocate(a(n, n), b(n, n), h(n, n))
  call number_elements(h)
  !$omp parallel do schedule(static)
  do j = 1, n
    a(:, j) = h(:, j)
    b(:, j) = 0
  end do
  do round = 1, rounds
    call start_clock()
    !$omp parallel do collapse(2) schedule(static) private(i, j, t)
    do jj = 1, n, tile
      do ii = 1, n, tile
        do i = 0, tile - 1
          t(i, :) = a(jj:jj + tile - 1, ii + i)
        end do
        do j = 0, tile - 1
          b(ii:ii + tile - 1, jj + j) = t(0:tile - 1, j)
        end do
      end do
    end do
    call stop_clock()
  end do
  call report(transpose_is_right(b))
end program
