subroutine say(n) bind(c)
  use iso_c_binding
  integer(c_int), value :: n
  print '(a, i0)', 'hello ', n
end subroutine
