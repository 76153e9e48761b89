program main
  use iso_c_binding
  interface
    integer(c_int) function c_part() bind(c)
      import
    end function
    integer(c_int) function kernel_part() bind(c)
      import
    end function
  end interface
  print '(a, i0)', 'hello ', c_part() + kernel_part()
end program
