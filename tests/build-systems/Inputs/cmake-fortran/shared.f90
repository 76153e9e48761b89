module shared
contains
  integer function third()
    third = 3
  end function
end module
