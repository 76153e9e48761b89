! A variable that is pointed to without being a target becomes one.
! VARIANTS: cpu cpu-O0
module m
  implicit none
  type base
    integer :: i = 1
  end type
  type, extends(base) :: own
    integer :: j = 2
  end type
  type holder
    class(base), allocatable :: a
  end type
contains
  integer function through(h, x) result(r)
    type(holder), intent(inout) :: h
    real, intent(inout) :: x(:)
    class(own), pointer :: p
    real, pointer :: q(:)
    p => null()
    select type (a => h%a)
    type is (own); p => a
    end select
    p%j = 7
    r = 0
    select type (a => h%a)
    type is (own); r = a%j
    end select
    q => x
    x(2) = 5
    q(2) = q(2) + 1
    r = r + nint(x(2))
  end function
end module
program t
  use m
  type(holder) :: h
  real :: x(3) = 0
  allocate (own :: h%a)
  if (through(h, x) /= 13) error stop 1
  print *, 'PASSED'
end program
