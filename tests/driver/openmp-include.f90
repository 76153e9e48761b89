! What OpenMP has for programs without modules is found as the module is.
! RUN: %cufort -mp %s -o %t && %t | FileCheck %s
! CHECK: 1 2
      include 'omp_lib.h'
      call omp_set_num_threads(2)
      print '(i0, 1x, i0)', omp_get_num_threads(), omp_get_max_threads()
      end
