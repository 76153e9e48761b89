! Which cases a program runs: those that its arguments name, else all of them.
module cases
  implicit none
  logical, private :: right = .true.
contains
  logical function run(name)
    character(*), intent(in) :: name
    character(64) :: argument
    integer :: i
    run = command_argument_count() == 0
    do i = 1, command_argument_count()
      call get_command_argument(i, argument)
      run = run .or. argument == name
    end do
  end function
  ! What a right case must have made.
  subroutine expect(holds, name)
    logical, intent(in) :: holds
    character(*), intent(in) :: name
    if (holds) return
    print *, 'WRONG RESULT: ', name
    right = .false.
  end subroutine
  subroutine finish()
    if (.not. right) stop 1
    print '(a)', 'PASSED'
  end subroutine
end module
