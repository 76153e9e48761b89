! What the two versions of a benchmark have in common: the clock, the report, and
! the checks, so that both are judged alike. Each compiler compiles it.
module timing
  implicit none
  integer, parameter :: rounds = 7
  integer(8), private :: started
  real(8), private :: best = huge(1d0)
contains
  subroutine start_clock()
    call system_clock(started)
  end subroutine

  subroutine stop_clock()
    integer(8) :: now, rate
    call system_clock(now, rate)
    best = min(best, real(now - started, 8) / rate)
  end subroutine

  !> One line for bench/run: the best round in seconds.
  subroutine report(right)
    logical, intent(in) :: right
    if (.not. right) error stop 'the result is wrong'
    print '(a, es14.6)', 'seconds', best
  end subroutine

  logical function triad_is_right(a) result(right)
    real(8), intent(in) :: a(:)
    integer :: i
    right = .true.
    do i = 1, size(a)
      right = right .and. a(i) == 2.5d0 * (1 + mod(i, 1000))
    end do
  end function

  !> A row and a column in double precision, all along the matrix.
  logical function product_is_right(A, B, C) result(right)
    real, intent(in) :: A(:, :), B(:, :), C(:, :)
    integer :: i, n
    real(8) :: wanted
    n = size(A, 1)
    right = .true.
    do i = 1, n
      wanted = dot_product(real(A(i, :), 8), real(B(:, n + 1 - i), 8))
      right = right .and. abs(C(i, n + 1 - i) - wanted) < 1d-5 * wanted
      wanted = dot_product(real(A(7, :), 8), real(B(:, i), 8))
      right = right .and. abs(C(7, i) - wanted) < 1d-5 * wanted
    end do
  end function

  !> A sum with little rounding: of sums of pieces.
  real(8) function sum_of(x)
    real(8), intent(in) :: x(:)
    integer :: i
    sum_of = 0
    do i = 1, size(x), 4096
      sum_of = sum_of + sum(x(i:min(i + 4095, size(x))))
    end do
  end function

  subroutine initial_field(u)
    real(8), intent(out) :: u(:, :)
    integer :: i, j
    do j = 1, size(u, 2)
      do i = 1, size(u, 1)
        u(i, j) = mod(i, 97) + 0.5d0 * mod(j, 89)
      end do
    end do
  end subroutine

  !> Ten sweeps on some patches of the field, computed again: a patch of 25 x 25
  !> around an element is all that reaches it.
  logical function field_is_right(u) result(right)
    real(8), intent(in) :: u(:, :)
    integer, parameter :: reach = 12
    real(8) :: p(-reach:reach, -reach:reach), q(-reach:reach, -reach:reach)
    integer :: i, j, k, l, step
    right = .true.
    do j = 100, size(u, 2) - 100, 331
      do i = 100, size(u, 1) - 100, 277
        do l = -reach, reach
          do k = -reach, reach
            p(k, l) = mod(i + k, 97) + 0.5d0 * mod(j + l, 89)
          end do
        end do
        do step = 1, 10
          q = p
          do l = -reach + 1, reach - 1
            do k = -reach + 1, reach - 1
              p(k, l) = 0.25d0 * (q(k - 1, l) + q(k + 1, l) + q(k, l - 1) + q(k, l + 1))
            end do
          end do
        end do
        right = right .and. abs(u(i, j) - p(0, 0)) < 1d-12 * (1 + abs(p(0, 0)))
      end do
    end do
  end function
end module
