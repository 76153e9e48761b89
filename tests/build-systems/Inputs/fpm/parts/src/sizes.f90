module sizes
  integer, parameter :: length = 100
end module
