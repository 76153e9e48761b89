program hello
  use omp_lib
  integer :: i, total
  total = 0
  !$omp parallel do num_threads(2) reduction(+: total)
  do i = 1, 100
    total = total + i
  end do
  print '(a, i0, a, l1)', 'hello ', total, ' ', omp_get_max_threads() > 0
end program
