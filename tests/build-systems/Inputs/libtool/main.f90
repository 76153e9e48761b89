program main
  use part
  call say(7)
end program
