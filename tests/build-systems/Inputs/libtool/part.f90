module part
contains
  subroutine say(n)
    integer :: n
    print '(a, i0)', 'hello ', n
  end subroutine
end module
