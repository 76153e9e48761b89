program uses_counter
  use counter
  count = count + 1
  print *, 'count', count
end program
