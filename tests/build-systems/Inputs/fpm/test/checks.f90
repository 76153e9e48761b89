program checks
  use kernels
  use iso_c_binding, only: c_int
  implicit none
  interface
    integer(c_int) function from_c() bind(c)
      import
    end function
  end interface
  integer, device :: x(3)
  integer :: y(3)
  x = 0
  call add<<<1, 3>>>(x, 3)
  y = x
  if (any(y /= [1, 2, 3]) .or. from_c() /= 7) error stop 'wrong'
  print '(a)', 'checked'
end program
