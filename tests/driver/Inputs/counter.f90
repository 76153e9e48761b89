module counter
  integer :: count = 0
end module
