! Accelerations of 16384 bodies, real(4), softened gravity.
program bench
  use timing
  implicit none
  integer, parameter :: n = 16384
  real, dimension(n) :: x, y, z, m, ax, ay, az
  real :: axi, ayi, azi, dx, dy, dz, d2, inverse, s
  integer :: round, i, j
  call scatter_bodies(x, y, z, m)
  do round = 1, rounds
    call start_clock()
    !$omp parallel do schedule(static) private(j, axi, ayi, azi, dx, dy, dz, d2, inverse, s)
    do i = 1, n
      axi = 0
      ayi = 0
      azi = 0
      !$omp simd private(dx, dy, dz, d2, inverse, s) reduction(+:axi, ayi, azi)
      do j = 1, n
        dx = x(j) - x(i)
        dy = y(j) - y(i)
        dz = z(j) - z(i)
        d2 = dx * dx + dy * dy + dz * dz + softening
        inverse = 1 / sqrt(d2)
        s = m(j) * inverse * inverse * inverse
        axi = axi + dx * s
        ayi = ayi + dy * s
        azi = azi + dz * s
      end do
      ax(i) = axi
      ay(i) = ayi
      az(i) = azi
    end do
    call stop_clock()
  end do
  call report(forces_are_right(x, y, z, m, ax, ay, az))
end program
