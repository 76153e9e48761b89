! A matrix product, real(4), n = 1024, tiled by hand for registers, vector unit and
! cache: a tile of 64 x 4 elements of C is summed in vector registers over a slab
! of A that stays in the cache.
program bench
  use timing
  implicit none
  integer, parameter :: n = 1024, rows = 64, depth = 256
  real, allocatable, dimension(:, :) :: A, B, C
  integer :: round
  allocate(A(n, n), B(n, n), C(n, n))
  call random_number(A)
  call random_number(B)
  do round = 1, rounds
    call start_clock()
    call multiply(A, B, C)
    call stop_clock()
  end do
  call report(product_is_right(A, B, C))
contains
  subroutine multiply(A, B, C)
    real, intent(in) :: A(n, n), B(n, n)
    real, intent(out) :: C(n, n)
    real :: t1(rows), t2(rows), t3(rows), t4(rows)
    integer :: i, j, k, l, kb
    !$omp parallel do schedule(static) private(i, k, l, kb, t1, t2, t3, t4)
    do j = 1, n, 4
      C(:, j:j + 3) = 0
      do kb = 1, n, depth
        do i = 1, n, rows
          t1 = C(i:i + rows - 1, j)
          t2 = C(i:i + rows - 1, j + 1)
          t3 = C(i:i + rows - 1, j + 2)
          t4 = C(i:i + rows - 1, j + 3)
          do k = kb, kb + depth - 1
            !$omp simd
            do l = 1, rows
              t1(l) = t1(l) + A(i + l - 1, k) * B(k, j)
              t2(l) = t2(l) + A(i + l - 1, k) * B(k, j + 1)
              t3(l) = t3(l) + A(i + l - 1, k) * B(k, j + 2)
              t4(l) = t4(l) + A(i + l - 1, k) * B(k, j + 3)
            end do
          end do
          C(i:i + rows - 1, j) = t1
          C(i:i + rows - 1, j + 1) = t2
          C(i:i + rows - 1, j + 2) = t3
          C(i:i + rows - 1, j + 3) = t4
        end do
      end do
    end do
  end subroutine
end program
