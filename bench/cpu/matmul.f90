! A matrix product, real(4), n = 1024, tiled by hand for the cache and the vector
! unit: a thread owns columns of C; for each slab of A that stays in the cache,
! four columns are updated by four columns of A at a time.
program bench
  use timing
  implicit none
  integer, parameter :: n = 1024, slab = 512, depth = 128
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
    integer :: i, j, k, ib, kb
    !$omp parallel do schedule(static) private(i, k, ib, kb)
    do j = 1, n, 4
      C(:, j:j + 3) = 0
      do kb = 1, n, depth
        do ib = 1, n, slab
          do k = kb, kb + depth - 1, 4
            !$omp simd
            do i = ib, ib + slab - 1
              C(i, j) = C(i, j) + A(i, k) * B(k, j) + A(i, k + 1) * B(k + 1, j) &
                  + A(i, k + 2) * B(k + 2, j) + A(i, k + 3) * B(k + 3, j)
              C(i, j + 1) = C(i, j + 1) + A(i, k) * B(k, j + 1) + A(i, k + 1) * B(k + 1, j + 1) &
                  + A(i, k + 2) * B(k + 2, j + 1) + A(i, k + 3) * B(k + 3, j + 1)
              C(i, j + 2) = C(i, j + 2) + A(i, k) * B(k, j + 2) + A(i, k + 1) * B(k + 1, j + 2) &
                  + A(i, k + 2) * B(k + 2, j + 2) + A(i, k + 3) * B(k + 3, j + 2)
              C(i, j + 3) = C(i, j + 3) + A(i, k) * B(k, j + 3) + A(i, k + 1) * B(k + 1, j + 3) &
                  + A(i, k + 2) * B(k + 2, j + 3) + A(i, k + 3) * B(k + 3, j + 3)
            end do
          end do
        end do
      end do
    end do
  end subroutine
end program
