! RUN: %cufort -mp %s -o %t
! RUN: env OMP_NUM_THREADS=2 %t | FileCheck %s
! CHECK: threads 2 sum 5050
program openmp
  use omp_lib
  integer :: i, total, threads
  total = 0
  threads = 0
  !$omp parallel do reduction(+:total) reduction(max:threads)
  do i = 1, 100
    total = total + i
    threads = max(threads, omp_get_num_threads())
  end do
  print '(a,i0,a,i0)', 'threads ', threads, ' sum ', total
end program
