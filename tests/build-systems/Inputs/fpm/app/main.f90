program hello
  use cudafor
  use kernels
  use sizes
  integer, device :: x(length)
  integer :: y(length)
  x = 1
  call add<<<4, 32>>>(x, length)
  y = x
  print '(a, i0)', 'hello ', sum(y)
end program
