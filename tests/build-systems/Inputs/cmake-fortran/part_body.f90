submodule (parts) part_body
contains
  module integer function part()
    part = added + length
  end function
end submodule
