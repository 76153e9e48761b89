module kernels
  use sizes
contains
  attributes(global) subroutine add(x, n)
    integer, value :: n
    integer :: x(n)
    integer :: i
    i = (blockidx%x - 1) * blockdim%x + threadidx%x
    if (i <= n) x(i) = x(i) + i
  end subroutine
end module
