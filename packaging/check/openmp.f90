program openmp
  use omp_lib
  integer :: i, total = 0
  !$omp parallel do reduction(+: total)
  do i = 1, 100
    total = total + i
  end do
  print '(a, i0)', 'sum ', total
end program
