! Local variables that no stack holds: of a block of the main program, of a
! recursive procedure, of threads. Small arrays lie as those of C do.
! FLAGS: -mp
! VARIANTS: cpu cpu-O0
subroutine once(n, r)
  implicit none
  integer, intent(in) :: n
  real(8), intent(out) :: r
  real(8) :: a(2000,2000)
  a(:,8) = n
  if (n > 1) then
    r = a(7,8)
    return
  end if
  r = -a(3,8)
end subroutine
recursive subroutine again(n, r)
  implicit none
  integer, intent(in) :: n
  real(8), intent(out) :: r
  type t
    integer :: i(300000)
  end type
  type(t) :: a
  character(1000000) :: c(3)
  real(8) :: inner
  a%i(17) = n
  c(2)(5:6) = 'x'
  inner = 0
  if (n > 0) call again(n - 1, inner)
  r = a%i(17) + inner
  if (c(2)(5:6) /= 'x ') r = -1
end subroutine
module aligned
  character(1) :: odd = 'o'
  complex(8) :: z(5) = 1
contains
  recursive integer function offset(n, depth) result(r)
    integer, intent(in) :: n, depth
    integer(8) :: first
    complex(8) :: a(3), b(n)
    character(3) :: c
    real(8) :: d(2)
    real(8), save :: kept(3) = 4
    c = odd
    a = 1; b = 2; d = 3
    first = ior(ior(loc(a), loc(b)), ior(loc(d), ior(loc(kept), loc(z))))
    r = int(iand(first, 15_8))
    if (depth > 0) r = r + offset(n + 1, depth - 1)
    if (sum(a) + sum(b) + sum(d) + sum(kept) /= 2 * n + 21) r = r + 1000
    if (c /= 'o') r = r + 2000
  end function
end module
program large_locals
  use aligned
  implicit none
  real(8) :: r(8)
  integer :: i
  block
    real :: b(5000,5000)
    b(:,7) = 2
    if (sum(b(:,7)) /= 10000) error stop 1
  end block
  call once(3, r(1))
  if (r(1) /= 3) error stop 2
  call again(30, r(1))
  if (r(1) /= 465) error stop 3
  !$omp parallel do
  do i = 1, 8
    block
      real(8) :: b(1000,1000)
      b(3,3) = i
      call once(i, r(i))
      if (b(3,3) /= i) error stop 4
    end block
  end do
  if (sum(r) /= 34) error stop 5
  if (offset(1, 4) /= 0) error stop 6
  print *, 'PASSED'
end program
