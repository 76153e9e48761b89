! Integers as conditions in a file without CUDA, as codes for nvfortran have them.
! VARIANTS: cpu
program integer_conditions_plain
  implicit none
  integer :: ierror
  integer(8) :: many
  ierror = 0
  many = 2_8**40
  if (ierror) error stop 'zero'
  if (ierror == 0) many = many + 1
  if (many - 2_8**40) ierror = 1
  if (ierror == 0) error stop 'not zero'
  do while (ierror)
    ierror = ierror - 1
  end do
  print *, 'PASSED'
end program
