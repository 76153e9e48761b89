program exit7
  character(20) :: word
  call get_command_argument(1, word)
  print *, 'argument ', trim(word)
  stop 7
end program
