module parts
  use sizes, only: length
  interface
    module integer function part()
    end function
  end interface
  integer :: added = ADDEND
end module
