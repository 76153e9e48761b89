"""Kernels of array intrinsics with masks and along one dimension, of norms, and
of what only moves elements (intrinsics.py).

The array is (n1, n, n3) with total elements, of which the middle dimension is
reduced. A whole array is (1, n, n3): n3 pieces, whose results the host combines;
the last piece may be shorter. A mask is bytes: the lowest of each logical
value's, `bytes` apart; none, if that is 0.
"""

HEAD = """  use, intrinsic :: __fortran_builtins, only: dim3 => __builtin_dim3
contains
"""
# The pieces of a whole array.
PIECES = """    n = max((total + 1023) / 1024, 4096_8)
    n3 = (total + n - 1) / n
"""


def walk(body, after, shared, declared):
    """A block for each result: its threads go through the middle dimension, and
    meet in a tree of half the distance each time."""
    return f"""    integer(8), value :: bytes, n1, n, n3, total
    integer(1), intent(in) :: mask(max(bytes, 1_8), total)
{declared}
{shared}
    logical :: wanted
    integer :: t, half
    integer(8) :: i, j, k, l, at
    t = threadidx%x
    do l = blockidx%x - 1_8, n1 * n3 - 1, griddim%x
      i = mod(l, n1) + 1
      k = l / n1
{body}
      call syncthreads()
      half = 64
      do while (half > 0)
        if (t <= half) then
{after}
        end if
        call syncthreads()
        half = half / 2
      end do"""


WANTED = """        at = i + (j + k * n) * n1
        if (at > total) exit
        wanted = bytes == 0
        if (.not. wanted) wanted = mask(1, at) /= 0
        if (.not. wanted) cycle
"""


def masked(name, kind, element, neutral, empty, combine):
    """sum, product, maxval and minval where a mask is true. found: whether there
    is such an element."""
    body = f"""      x = {neutral}
      any = 0
      do j = t - 1, n - 1, 128_8
{WANTED}        any = 1
        y = a(at); {combine('x')}
      end do
      s(t) = x
      f(t) = any"""
    after = f"""          x = s(t)
          y = s(t + half); {combine('x')}
          s(t) = x
          f(t) = max(f(t), f(t + half))"""
    declared = f"""    {element}, intent(in) :: a(total)
    {element} :: result(*), x, y
    integer :: found(*), any
    integer(8), value :: parts"""
    shared = f"""    {element}, shared :: s(128)
    integer, shared :: f(128)"""
    none = empty.replace("(result)", f"(0.0_{kind[1]})")
    return f"""module cufort_{name}masked_{kind}
{HEAD}  attributes(global) subroutine blocks(a, mask, bytes, n1, n, n3, total, &
      result, found, parts)
{walk(body, after, shared, declared)}
      if (t == 1) then
        x = {none}
        if (f(1) == 1) x = s(1)
        result(l + 1) = x
        if (l < parts) found(l + 1) = f(1)
      end if
      call syncthreads()
    end do
  end subroutine

  subroutine launch(a, mask, bytes, total, result) &
      bind(C, name="__cufort_{name}masked_{kind}")
    integer(8), value :: bytes, total
    {element}, device :: a(total)
    integer(1), device :: mask(bytes, total)
    {element} :: result
    {element}, device :: part(1024)
    integer, device :: found(1024)
    {element} :: h(1024), y
    integer(8) :: n, n3
    integer :: f(1024), i
    logical :: any
    result = {empty}
    if (total == 0) return
{PIECES}    call blocks<<<int(n3), 128>>>(a, mask, bytes, 1_8, n, n3, total, part, &
                                  found, n3)
    h(1:n3) = part(1:n3)
    f(1:n3) = found(1:n3)
    any = .false.
    do i = 1, int(n3)
      if (f(i) == 0) cycle
      y = h(i)
      if (.not. any) then
        result = y
        any = .true.
      else
        {combine('result')}
      end if
    end do
  end subroutine

  subroutine along(a, mask, bytes, n1, n, n3, result) &
      bind(C, name="__cufort_{name}alongmasked_{kind}")
    integer(8), value :: bytes, n1, n, n3
    {element}, device :: a(*), result(*)
    integer(1), device :: mask(bytes, *)
    integer, device :: found(1)
    if (n1 * n3 == 0) return
    call blocks<<<int(min(n1 * n3, 65535_8)), 128>>>(a, mask, bytes, n1, n, n3, &
      n1 * n * n3, result, found, 0_8)
  end subroutine
end module
"""


def located(name, kind, element, relation, is_real):
    """maxloc and minloc where a mask is true, and along a dimension: the first
    of equal ones; a number counts before one that is none."""
    better = f"y {relation} x"
    earlier = "y == x .and. j < p1"
    if is_real:
        better = f"({better} .or. (x /= x .and. y == y))"
        earlier = f"(({earlier}) .or. (x /= x .and. y /= y .and. j < p1))"
    else:
        earlier = f"({earlier})"
    body = f"""      p1 = 0
      x = 0
      do j = t - 1, n - 1, 128_8
{WANTED}        y = a(at)
        if (p1 == 0 .or. {better}) then
          x = y
          p1 = j + 1
        end if
      end do
      s(t) = x
      p(t) = p1"""
    after = f"""          x = s(t)
          p1 = p(t)
          y = s(t + half)
          j = p(t + half)
          if (j /= 0 .and. (p1 == 0 .or. {better} .or. {earlier})) then
            s(t) = y
            p(t) = j
          end if"""
    declared = f"""    integer(8), value :: words, parts
    {element}, intent(in) :: a(total)
    integer(4) :: result(words, *)
    {element} :: part(*), x, y
    integer(8) :: place(*), p1"""
    shared = f"""    {element}, shared :: s(128)
    integer(8), shared :: p(128)"""
    return f"""module cufort_{name}masked_{kind}
{HEAD}  attributes(global) subroutine blocks(a, mask, bytes, n1, n, n3, total, &
      words, result, part, place, parts)
{walk(body, after, shared, declared)}
      if (t == 1) then
        if (l < parts) then
          part(l + 1) = s(1)
          place(l + 1) = p(1)
        else
          result(1, l + 1) = int(p(1))
          if (words == 2) result(2, l + 1) = int(ishft(p(1), -32))
        end if
      end if
      call syncthreads()
    end do
  end subroutine

  subroutine launch(a, mask, bytes, total, found) &
      bind(C, name="__cufort_{name}masked_{kind}")
    integer(8), value :: bytes, total
    {element}, device :: a(total)
    integer(1), device :: mask(bytes, total)
    integer(8) :: found
    {element}, device :: part(1024)
    integer(8), device :: place(1024)
    integer(4), device :: unused(1)
    {element} :: h(1024), x, y
    integer(8) :: n, n3, p(1024)
    integer :: i
    found = 0
    if (total == 0) return
{PIECES}    call blocks<<<int(n3), 128>>>(a, mask, bytes, 1_8, n, n3, total, 1_8, &
                                  unused, part, place, n3)
    h(1:n3) = part(1:n3)
    p(1:n3) = place(1:n3)
    x = 0
    do i = 1, int(n3)
      if (p(i) == 0) cycle
      y = h(i)
      if (found == 0 .or. {better}) then
        x = y
        found = p(i) + (i - 1) * n
      end if
    end do
  end subroutine

  subroutine along(a, mask, bytes, n1, n, n3, words, result) &
      bind(C, name="__cufort_{name}along_{kind}")
    integer(8), value :: bytes, n1, n, n3, words
    {element}, device :: a(*)
    integer(1), device :: mask(max(bytes, 1_8), *)
    integer(4), device :: result(words, *)
    {element}, device :: part(1)
    integer(8), device :: place(1)
    if (n1 * n3 == 0) return
    call blocks<<<int(min(n1 * n3, 65535_8)), 128>>>(a, mask, bytes, n1, n, n3, &
      n1 * n * n3, words, result, part, place, 0_8)
  end subroutine
end module
"""


def norm(kind, element):
    """norm2: squares are summed in double precision, of numbers that are brought
    into its range where they are not."""
    body = """      scale = 1
      do
        x = 0
        do j = t - 1, n - 1, 128_8
          at = i + (j + k * n) * n1
          if (at > total) exit
          x = x + (a(at) * scale)**2
        end do
        s(t) = x
        call syncthreads()
        half = 64
        do while (half > 0)
          if (t <= half) s(t) = s(t) + s(t + half)
          call syncthreads()
          half = half / 2
        end do
        x = s(1)
        call syncthreads()
        if (scale /= 1) exit
        if (x > huge(x)) then
          scale = 2.0_8**(-600)
        else if (x < 1e-280_8) then
          scale = 2.0_8**600
        else
          exit
        end if
      end do"""
    return f"""module cufort_norm_{kind}
{HEAD}  attributes(global) subroutine blocks(a, n1, n, n3, total, result, part, parts)
    integer(8), value :: n1, n, n3, total, parts
    {element}, intent(in) :: a(total)
    {element} :: result(*)
    real(8) :: part(*), x, scale
    real(8), shared :: s(128)
    integer :: t, half
    integer(8) :: i, j, k, l, at
    t = threadidx%x
    do l = blockidx%x - 1_8, n1 * n3 - 1, griddim%x
      i = mod(l, n1) + 1
      k = l / n1
{body}
      x = sqrt(x) / scale
      if (t == 1) then
        if (l < parts) then
          part(l + 1) = x
        else
          result(l + 1) = real(x, {kind[1]})
        end if
      end if
      call syncthreads()
    end do
  end subroutine

  subroutine launch(a, total, result) bind(C, name="__cufort_norm_{kind}")
    integer(8), value :: total
    {element}, device :: a(total)
    {element} :: result
    real(8), device :: part(1024)
    {element}, device :: unused(1)
    real(8) :: h(1024)
    integer(8) :: n, n3
    result = 0
    if (total == 0) return
{PIECES}    call blocks<<<int(n3), 128>>>(a, 1_8, n, n3, total, unused, part, n3)
    h(1:n3) = part(1:n3)
    result = real(norm2(h(1:n3)), {kind[1]})
  end subroutine

  subroutine along(a, n1, n, n3, result) bind(C, name="__cufort_normalong_{kind}")
    integer(8), value :: n1, n, n3
    {element}, device :: a(*), result(*)
    real(8), device :: part(1)
    if (n1 * n3 == 0) return
    call blocks<<<int(min(n1 * n3, 65535_8)), 128>>>(a, n1, n, n3, n1 * n * n3, &
      result, part, 0_8)
  end subroutine
end module
"""


def counts():
    """count, any and all along a dimension (mode 0, 1, 2): a thread for each
    result, an integer or a logical value of so many bytes."""
    return f"""module cufort_countalong_l
{HEAD}  attributes(global) subroutine threads(mask, bytes, n1, n, n3, mode, width, &
      result)
    integer(8), value :: bytes, n1, n, n3, width
    integer, value :: mode
    integer(1), intent(in) :: mask(bytes, n1, n, n3)
    integer(1) :: result(width, *)
    integer(8) :: c, i, j, k, l
    integer :: b, v
    do l = (blockidx%x - 1_8) * 128 + threadidx%x - 1, n1 * n3 - 1, &
        griddim%x * 128_8
      i = mod(l, n1) + 1
      k = l / n1 + 1
      c = 0
      do j = 1, n
        if (mask(1, i, j, k) /= 0) c = c + 1
      end do
      if (mode == 1) c = min(c, 1_8)
      if (mode == 2) c = merge(1_8, 0_8, c == n)
      do b = 1, int(width)
        v = int(ibits(c, 8 * (b - 1), 8))
        if (v > 127) v = v - 256
        result(b, l + 1) = int(v, 1)
      end do
    end do
  end subroutine

  subroutine launch(mask, bytes, n1, n, n3, mode, width, result) &
      bind(C, name="__cufort_countalong_l")
    integer(8), value :: bytes, n1, n, n3, width
    integer, value :: mode
    integer(1), device :: mask(*), result(*)
    if (n1 * n3 == 0) return
    call threads<<<int(min((n1 * n3 + 127) / 128, 65535_8)), 128>>>(mask, bytes, &
      n1, n, n3, mode, width, result)
  end subroutine
end module
"""


def moves(kind, element):
    """spread and reshape with another order, by the size of elements."""
    return f"""module cufort_moves_{kind}
{HEAD}  attributes(global) subroutine spreading(a, n1, n, n3, result)
    integer(8), value :: n1, n, n3
    {element}, intent(in) :: a(n1, n3)
    {element} :: result(*)
    integer(8) :: l
    do l = (blockidx%x - 1_8) * 128 + threadidx%x, n1 * n * n3, griddim%x * 128_8
      result(l) = a(mod(l - 1, n1) + 1, (l - 1) / (n1 * n) + 1)
    end do
  end subroutine

  subroutine spread(a, n1, n, n3, result) bind(C, name="__cufort_spread_{kind}")
    integer(8), value :: n1, n, n3
    {element}, device :: a(*), result(*)
    if (n1 * n * n3 == 0) return
    call spreading<<<int(min((n1 * n * n3 + 127) / 128, 65535_8)), 128>>>(a, n1, &
      n, n3, result)
  end subroutine

  attributes(global) subroutine permuting(a, rank, sizes, total, result)
    integer, value :: rank
    integer(8), value :: total
    integer(8), intent(in) :: sizes(2, rank)
    {element}, intent(in) :: a(*)
    {element} :: result(*)
    integer(8) :: l, rest, from
    integer :: r
    do l = (blockidx%x - 1_8) * 128 + threadidx%x, total, griddim%x * 128_8
      rest = l - 1
      from = 1
      do r = 1, rank
        from = from + mod(rest, sizes(1, r)) * sizes(2, r)
        rest = rest / sizes(1, r)
      end do
      result(l) = a(from)
    end do
  end subroutine

  subroutine permute(a, rank, sizes, total, result) &
      bind(C, name="__cufort_permute_{kind}")
    integer, value :: rank
    integer(8), value :: total
    integer(8) :: sizes(2, rank)
    {element}, device :: a(*), result(*)
    integer(8), device :: copy(2, rank)
    if (total == 0) return
    copy = sizes
    call permuting<<<int(min((total + 127) / 128, 65535_8)), 128>>>(a, rank, copy, &
      total, result)
  end subroutine
end module
"""


def transpose(kind, element):
    return f"""module cufort_transpose_{kind}
contains
  attributes(global) subroutine exchange(b, a, m, n)
    integer(8), value :: m, n
    {element} :: b(n, m)
    {element}, intent(in) :: a(m, n)
    {element}, shared :: tile(33, 32)
    integer :: tx, ty, k
    integer(8) :: row, column, first
    tx = threadidx%x
    ty = threadidx%y
    do first = (blockidx%y - 1_8) * 32, n - 1, griddim%y * 32_8
      row = (blockidx%x - 1_8) * 32 + tx
      do k = 0, 24, 8
        column = first + ty + k
        if (row <= m .and. column <= n) tile(tx, ty + k) = a(row, column)
      end do
      call syncthreads()
      column = first + tx
      do k = 0, 24, 8
        row = (blockidx%x - 1_8) * 32 + ty + k
        if (row <= m .and. column <= n) b(column, row) = tile(ty + k, tx)
      end do
      call syncthreads()
    end do
  end subroutine

  subroutine launch(b, a, m, n) bind(C, name="__cufort_transpose_{kind}")
    integer(8), value :: m, n
    {element}, device :: b(n, m), a(m, n)
    type(dim3) :: grid, block
    if (m == 0 .or. n == 0) return
    grid = dim3(int((m + 31) / 32), int(min((n + 31) / 32, 65535_8)), 1)
    block = dim3(32, 8, 1)
    call exchange<<<grid, block>>>(b, a, m, n)
  end subroutine
end module
"""
