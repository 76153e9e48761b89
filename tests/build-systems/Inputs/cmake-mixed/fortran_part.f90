integer(c_int) function fortran_part(n) bind(c)
  use iso_c_binding
  use sizes
  integer(c_int), value :: n
  character(len=8) :: text
  ! What needs Flang's runtime.
  write (text, '(i0)') n * length
  read (text, *) fortran_part
end function
