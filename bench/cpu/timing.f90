! What the two versions of a benchmark have in common: the clock, the report, and
! the checks, so that both are judged alike. Each compiler compiles it.
module timing
  implicit none
  integer, parameter :: rounds = 7
  real, parameter :: softening = 1e-3 !< of nbody
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

  subroutine fill_space(u)
    real(8), intent(out) :: u(0:, 0:, 0:)
    integer :: i, j, k
    do k = 0, ubound(u, 3)
      do j = 0, ubound(u, 2)
        do i = 0, ubound(u, 1)
          u(i, j, k) = in_space(i, j, k)
        end do
      end do
    end do
  end subroutine

  pure real(8) function in_space(i, j, k)
    integer, intent(in) :: i, j, k
    in_space = 0.01d0 * mod(i * 7 + j * 13 + k * 29, 101)
  end function

  !> After one sweep of a seven-point stencil.
  logical function space_is_right(v) result(right)
    real(8), intent(in) :: v(0:, 0:, 0:)
    real(8) :: wanted
    integer :: i, j, k
    right = .true.
    do k = 1, ubound(v, 3) - 1, 3
      do j = 1, ubound(v, 2) - 1, 5
        do i = 1, ubound(v, 1) - 1
          wanted = 0.1d0 * (in_space(i - 1, j, k) + in_space(i + 1, j, k) + in_space(i, j - 1, k) &
            + in_space(i, j + 1, k) + in_space(i, j, k - 1) + in_space(i, j, k + 1)) &
            + 0.4d0 * in_space(i, j, k)
          right = right .and. abs(v(i, j, k) - wanted) < 1d-12
        end do
      end do
    end do
  end function

  !> Numbers between -8 and 8.
  subroutine spread_over(x)
    real(8), intent(out) :: x(:)
    integer :: i
    do i = 1, size(x)
      x(i) = -8 + 16 * (mod(i, 65537) / 65536d0)
    end do
  end subroutine

  logical function expsin_is_right(y) result(right)
    real(8), intent(in) :: y(:)
    real(8) :: x
    integer :: i
    right = .true.
    do i = 1, size(y), 3
      x = -8 + 16 * (mod(i, 65537) / 65536d0)
      right = right .and. abs(y(i) - exp(x) * sin(x)) <= 1d-14 * exp(x) * abs(sin(x)) + 1d-300
    end do
  end function

  subroutine number_elements(a)
    real, intent(out) :: a(:, :)
    integer :: i, j
    do j = 1, size(a, 2)
      do i = 1, size(a, 1)
        a(i, j) = element(i, j)
      end do
    end do
  end subroutine

  pure real function element(i, j)
    integer, intent(in) :: i, j
    element = mod(i * 7 + j * 8191, 16777213)
  end function

  logical function transpose_is_right(b) result(right)
    real, intent(in) :: b(:, :)
    integer :: i, j
    right = .true.
    do j = 1, size(b, 2)
      do i = 1, size(b, 1)
        right = right .and. b(i, j) == element(j, i)
      end do
    end do
  end function

  !> The same random numbers with every compiler: from 0 to 1.
  real(8) function next_random(state) result(value)
    integer(8), intent(inout) :: state
    state = mod(state * 48271_8, 2147483647_8)
    value = state / 2147483647d0
  end function

  subroutine scatter_bodies(x, y, z, m)
    real, intent(out), dimension(:) :: x, y, z, m
    integer(8) :: state
    integer :: i
    state = 12345
    do i = 1, size(x)
      x(i) = real(2 * next_random(state) - 1)
      y(i) = real(2 * next_random(state) - 1)
      z(i) = real(2 * next_random(state) - 1)
      m(i) = real(0.5d0 + next_random(state))
    end do
  end subroutine

  !> Some bodies in double precision; judged by the sum of the forces' sizes.
  logical function forces_are_right(x, y, z, m, ax, ay, az) result(right)
    real, intent(in), dimension(:) :: x, y, z, m, ax, ay, az
    real(8) :: dx, dy, dz, s, a(3), amount
    integer :: i, j
    right = .true.
    do i = 1, size(x), 97
      a = 0
      amount = 0
      do j = 1, size(x)
        dx = real(x(j), 8) - x(i)
        dy = real(y(j), 8) - y(i)
        dz = real(z(j), 8) - z(i)
        s = m(j) / sqrt(dx**2 + dy**2 + dz**2 + softening)**3
        a = a + s * [dx, dy, dz]
        amount = amount + s * (abs(dx) + abs(dy) + abs(dz))
      end do
      right = right .and. all(abs([ax(i), ay(i), az(i)] - a) < 2d-6 * amount)
    end do
  end function

  !> Every point that is not on the edge of the set computed again: contracted
  !> products may change when such a one escapes.
  logical function iterations_are_right(iterations, most) result(right)
    integer, intent(in) :: iterations(:, :), most
    real(8) :: cx, cy, x, y, x2, y2
    integer :: i, j, k, wrong, seen
    wrong = 0
    seen = 0
    do j = 1, size(iterations, 2), 7
      do i = 1, size(iterations, 1), 5
        cx = -2 + 3 * (i - 0.5d0) / size(iterations, 1)
        cy = -1 + 2 * (j - 0.5d0) / size(iterations, 2)
        x = 0
        y = 0
        x2 = 0
        y2 = 0
        k = 0
        do while (x2 + y2 <= 4 .and. k < most)
          y = 2 * x * y + cy
          x = x2 - y2 + cx
          x2 = x * x
          y2 = y * y
          k = k + 1
        end do
        seen = seen + 1
        if (iterations(i, j) /= k) wrong = wrong + 1
      end do
    end do
    right = wrong * 500 <= seen
  end function

  !> From 0 to 255, small ones more often.
  subroutine random_values(values)
    integer, intent(out) :: values(:)
    integer(8) :: state
    integer :: i
    state = 271828
    do i = 1, size(values)
      values(i) = int(256 * next_random(state) * next_random(state))
    end do
  end subroutine

  logical function counts_are_right(values, counts) result(right)
    integer, intent(in) :: values(:), counts(0:255)
    integer :: wanted(0:255), i
    wanted = 0
    do i = 1, size(values)
      wanted(values(i)) = wanted(values(i)) + 1
    end do
    right = all(wanted == counts)
  end function

  subroutine make_picture(a, w)
    real, intent(out) :: a(:, :), w(-2:, -2:)
    integer :: i, j
    do j = 1, size(a, 2)
      do i = 1, size(a, 1)
        a(i, j) = mod(i * 13 + j * 29, 251) / 16.0
      end do
    end do
    do j = -2, 2
      do i = -2, 2
        w(i, j) = exp(-0.3 * (i * i + j * j)) + 0.01 * i - 0.02 * j
      end do
    end do
  end subroutine

  logical function convolution_is_right(a, w, b) result(right)
    real, intent(in) :: a(:, :), w(-2:, -2:), b(:, :)
    real(8) :: wanted, amount, part
    integer :: i, j, k, l, n
    n = size(a, 1)
    right = .true.
    do j = 1, n, 3
      do i = 1, n, 7
        wanted = 0
        amount = 0
        do l = -2, 2
          do k = -2, 2
            part = real(w(k, l), 8) * a(min(max(i + k, 1), n), min(max(j + l, 1), n))
            wanted = wanted + part
            amount = amount + abs(part)
          end do
        end do
        right = right .and. abs(b(i, j) - wanted) < 1d-6 * amount
      end do
    end do
  end function

  !> A band of four to 20 elements and, in some rows, eight anywhere.
  subroutine make_matrix(n, first, column, a, x)
    integer, intent(in) :: n
    integer, allocatable, intent(out) :: first(:), column(:)
    real(8), allocatable, intent(out) :: a(:), x(:)
    integer(8) :: state
    integer :: i, k, j, band
    allocate(first(n + 1), column(28 * n), a(28 * n), x(n))
    state = 31415
    k = 1
    do i = 1, n
      first(i) = k
      band = 4 + int(17 * next_random(state))
      do j = 1, band
        column(k) = 1 + modulo(i - band / 2 + j, n)
        a(k) = next_random(state) - 0.25d0
        k = k + 1
      end do
      if (next_random(state) < 0.125d0) then
        do j = 1, 8
          column(k) = 1 + int(n * next_random(state))
          a(k) = next_random(state)
          k = k + 1
        end do
      end if
      x(i) = next_random(state) + 0.1d0
    end do
    first(n + 1) = k
    column = column(:k - 1)
    a = a(:k - 1)
  end subroutine

  logical function spmv_is_right(first, column, a, x, y) result(right)
    integer, intent(in) :: first(:), column(:)
    real(8), intent(in) :: a(:), x(:), y(:)
    real(8) :: wanted, amount
    integer :: i, k
    right = .true.
    do i = 1, size(x)
      wanted = 0
      amount = 0
      do k = first(i), first(i + 1) - 1
        wanted = wanted + a(k) * x(column(k))
        amount = amount + abs(a(k) * x(column(k)))
      end do
      right = right .and. abs(y(i) - wanted) <= 1d-13 * amount
    end do
  end function
end module
