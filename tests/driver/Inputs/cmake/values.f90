module values
  integer, parameter :: n = 10
end module
