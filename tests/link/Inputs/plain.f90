program plain
  print *, 'plain'
end program
