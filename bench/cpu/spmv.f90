! Sparse matrix times vector, rows compressed, real(8).
program bench
  use timing
  implicit none
  integer, parameter :: n = 2**20
  integer, allocatable :: first(:), column(:), hfirst(:), hcolumn(:)
  real(8), allocatable :: a(:), x(:), y(:), ha(:), hx(:)
  real(8) :: total
  integer :: round, i, k
  call make_matrix(n, hfirst, hcolumn, ha, hx)
  allocate(first(n + 1), column(size(hcolumn)), a(size(ha)), x(n), y(n))
  first(n + 1) = hfirst(n + 1)
  !$omp parallel do schedule(static) private(k)
  do i = 1, n
    first(i) = hfirst(i)
    x(i) = hx(i)
    y(i) = 0
    do k = hfirst(i), hfirst(i + 1) - 1
      column(k) = hcolumn(k)
      a(k) = ha(k)
    end do
  end do
  do round = 1, rounds
    call start_clock()
    !$omp parallel do schedule(static) private(k, total)
    do i = 1, n
      total = 0
      !$omp simd reduction(+:total)
      do k = first(i), first(i + 1) - 1
        total = total + a(k) * x(column(k))
      end do
      y(i) = total
    end do
    call stop_clock()
  end do
  call report(spmv_is_right(hfirst, hcolumn, ha, hx, y))
end program
