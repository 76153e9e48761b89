! An override may take a pointer to its own type: what it gets is one, if the
! program is right.
! VARIANTS: cpu
module m
  implicit none
  type item
    integer :: i = 1
    class(item), pointer :: next => null()
  end type
  type, extends(item) :: larger
    integer :: j = 2
  end type
  type base
  contains
    procedure :: create => create_item
  end type
  type, extends(base) :: extended
  contains
    procedure :: create => create_larger
  end type
contains
  function create_item(self, next) result(p)
    class(base), intent(inout) :: self
    class(item), pointer, intent(in) :: next
    class(item), pointer :: p
    type(item), pointer :: new
    allocate (new)
    new%next => next
    p => new
  end function
  function create_larger(self, next) result(p)
    class(extended), intent(inout) :: self
    type(larger), pointer, intent(in) :: next
    class(item), pointer :: p
    type(larger), pointer :: new
    allocate (new)
    if (associated(next)) new%j = next%j + 1
    new%next => next
    p => new
  end function
end module
program t
  use m
  class(base), allocatable :: b
  class(item), pointer :: first, second
  allocate (extended :: b)
  first => null()
  first => b%create(next=first)
  second => b%create(first)
  select type (second)
  type is (larger)
    if (second%j /= 3 .or. .not. associated(second%next, first)) error stop 1
  class default
    error stop 2
  end select
  print *, 'PASSED'
end program
