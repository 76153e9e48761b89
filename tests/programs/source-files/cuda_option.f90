! FLAGS: -cuda
! A .f90 file with -cuda, and lines that only CUDA Fortran reads.
module kernels
contains
  attributes(global) subroutine one(a)
    integer :: a(*)
    a(threadidx%x) = 1
  end subroutine
end module
program test
  !@cuf use cudafor
  use kernels
  implicit none
  integer, device :: adev(10)
  integer :: a(10), istat
  call one<<<1, 10>>>(adev)
  !@cuf istat = cudaDeviceSynchronize()
  a = adev
  if (any(a /= 1) .or. istat /= 0) error stop 'wrong'
  print *, 'PASSED'
end program
