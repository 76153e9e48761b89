! The lines of with.cuf with the CUDA parts taken out: kernels are procedures of
! an element, launches loops over them.
module model
  implicit none
  integer, parameter :: tile = 16
  real :: weight(3)
contains
  real function limited(x)
    real, value :: x
    limited = max(-10.0, min(10.0, x))
  end function

  subroutine smooth(u, v, nx, ny, i, j)
    integer, value :: nx, ny, i, j
    real, intent(in) :: u(nx, ny)
    real :: v(nx, ny)
    if (i > 1 .and. i < nx .and. j > 1 .and. j < ny) then
      v(i, j) = limited(weight(1) * u(i, j) &
          + weight(2) * (u(i - 1, j) + u(i + 1, j)) &
          + weight(3) * (u(i, j - 1) + u(i, j + 1)))
    else if (i <= nx .and. j <= ny) then
      v(i, j) = u(i, j)
    end if
  end subroutine

  subroutine transposed(u, v, nx, ny, i, j)
    integer, value :: nx, ny, i, j
    real, intent(in) :: u(nx, ny)
    real :: v(ny, nx)
    real :: s(tile + 1, tile)
    integer :: k, l
    do k = i, min(nx, i + tile - 1)
      do l = j, min(ny, j + tile - 1)
        s(k - i + 1, l - j + 1) = u(k, l)
      end do
    end do
    do l = j, min(ny, j + tile - 1)
      do k = i, min(nx, i + tile - 1)
        v(l, k) = s(k - i + 1, l - j + 1)
      end do
    end do
  end subroutine

  subroutine smooth_on_host(u, w)
    real, intent(inout) :: u(:, :)
    real, intent(in) :: w(3)
    real, allocatable :: v(:, :)
    integer :: i, j
    v = u
    do j = 2, size(u, 2) - 1
      do i = 2, size(u, 1) - 1
        u(i, j) = max(-10.0, min(10.0, w(1) * v(i, j) &
            + w(2) * (v(i - 1, j) + v(i + 1, j)) &
            + w(3) * (v(i, j - 1) + v(i, j + 1))))
      end do
    end do
  end subroutine
end module

program test
  use model
  implicit none
  integer, parameter :: nx = 300, ny = 200
  real, allocatable :: u(:, :), v(:, :), t(:, :)
  real, allocatable :: h(:, :), g(:, :), r(:, :)
  real :: w(3)
  integer :: i, j, step, status
  character(len=40) :: text

  allocate(h(nx, ny), g(nx, ny), r(ny, nx))
  allocate(u(nx, ny), v(nx, ny), t(ny, nx))
  w = [0.4, 0.2, 0.1]
  weight = w
  do j = 1, ny
    do i = 1, nx
      h(i, j) = sin(0.1 * i) * cos(0.07 * j) + 0.01 * mod(i * j, 17)
    end do
  end do
  u = h
  do step = 1, 10
    do j = 1, ny
      do i = 1, nx
        call smooth(u, v, nx, ny, i, j)
      end do
    end do
    do j = 1, ny
      do i = 1, nx
        call smooth(v, u, nx, ny, i, j)
      end do
    end do
    call smooth_on_host(h, w)
    call smooth_on_host(h, w)
  end do
  do j = 1, ny, tile
    do i = 1, nx, tile
      call transposed(u, t, nx, ny, i, j)
    end do
  end do
  status = 0
  g = u
  r = t
  write (text, '(a, es10.3)') 'largest error ', maxval(abs(g - h))
  print '(a)', trim(text)
  if (status /= 0 .or. any(abs(g - h) > 1e-5) .or. any(r /= transpose(g))) error stop 'wrong'
end program
