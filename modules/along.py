"""Kernels of sum, product, maxval, minval, count, any and all along one dimension
(intrinsics.py).

The array is (n1, n, n3); the middle dimension is reduced. It is cut into pieces where
there are few results, so that a GPU has enough threads: the first kernel gives an
element for each piece, (n1, pieces, n3), the second one reduces these. Sizes alone
decide, so results are the same on every device.
"""

HEAD = """  use, intrinsic :: __fortran_builtins, only: dim3 => __builtin_dim3
contains
"""


def thread_kernel(prefix, whole, element, neutral, value, combined):
    """A thread for each result, where threads side by side read elements side by
    side."""
    return f"""  attributes(global) subroutine {prefix}threads(a, bytes, n1, n, n3, piece, &
      pieces, result)
    integer(8), value :: bytes, n1, n, n3, piece, pieces
    {whole}
    {element} :: result(n1, pieces, n3)
    {element} :: x, y
    integer(8) :: i, j, k, p
    i = (blockidx%x - 1_8) * 128 + threadidx%x
    if (i > n1) return
    do k = blockidx%z, n3, griddim%z
      do p = blockidx%y, pieces, griddim%y
        x = {neutral}
        do j = (p - 1) * piece + 1, min(p * piece, n)
          y = {value}; {combined}
        end do
        result(i, p, k) = x
      end do
    end do
  end subroutine
"""


def few_kernel(prefix, whole, element, neutral, value, combined):
    """A thread for each result, where all elements for a block are few."""
    return f"""  attributes(global) subroutine {prefix}few(a, bytes, n1, n, n3, result)
    integer(8), value :: bytes, n1, n, n3
    {whole}
    {element} :: result(n1, n3)
    {element} :: x, y
    integer(8) :: i, j, k, l
    do l = (blockidx%x - 1_8) * 128 + threadidx%x - 1, n1 * n3 - 1, &
        griddim%x * 128_8
      i = mod(l, n1) + 1
      k = l / n1 + 1
      x = {neutral}
      do j = 1, n
        y = {value}; {combined}
      end do
      result(i, k) = x
    end do
  end subroutine
"""


def block_kernel(prefix, flat, element, neutral, value, combine):
    """A block for all of few n1, each of whose threads stays with one."""
    combined = combine("x")
    # Four sums at a time, for a load takes long.
    several = "\n".join(f"            y = {value.format(f'at + {n} * step, k')}; "
                        f"{combine(f'x{n}')}" for n in range(4))
    together = "\n".join(f"          y = x{n}; {combined}" for n in range(4))
    return f"""  attributes(global) subroutine {prefix}blocks(a, bytes, n1, n, n3, piece, pieces, &
      result)
    integer(8), value :: bytes, n1, n, n3, piece, pieces
    {flat}
    {element} :: result(n1, pieces, n3)
    {element}, shared :: s(128)
    {element} :: x, x0, x1, x2, x3, y
    integer :: t, place, places, half
    integer(8) :: at, k, p, last, step
    t = threadidx%x
    places = 128 / int(n1)
    step = places * n1
    place = (t - 1) / int(n1)
    do k = blockidx%y, n3, griddim%y
      do p = blockidx%x, pieces, griddim%x
        x = {neutral}
        if (place < places) then
          x0 = x
          x1 = x
          x2 = x
          x3 = x
          last = min(p * piece, n) * n1
          do at = (p - 1) * piece * n1 + t, last - 3 * step, 4 * step
{several}
          end do
          do at = at, last, step
            y = {value.format("at, k")}; {combined}
          end do
{together}
        end if
        s(t) = x
        call syncthreads()
        half = 64
        do while (half > 0)
          if (place < half .and. place + half < places) then
            x = s(t)
            y = s(t + half * int(n1)); {combined}
            s(t) = x
          end if
          call syncthreads()
          half = half / 2
        end do
        if (place == 0) result(t, p, k) = s(t)
        call syncthreads()
      end do
    end do
  end subroutine
"""


def kernels(prefix, given, element, neutral, value, combine):
    """Three kernels. `given` declares the array a with some extents, `value` is its
    element with some subscripts."""
    whole, flat = given.format("n1, n, n3"), given.format("n1 * n, n3")
    of_whole, combined = value.format("i, j, k"), combine("x")
    return "\n".join([
        thread_kernel(prefix, whole, element, neutral, of_whole, combined),
        few_kernel(prefix, whole, element, neutral, of_whole, combined),
        block_kernel(prefix, flat, element, neutral, value, combine)])


def launches(prefix, given, element):
    """Launches one of the three."""
    return f"""  subroutine {prefix}pass(a, bytes, n1, n, n3, piece, pieces, result)
    integer(8) :: bytes, n1, n, n3, piece, pieces
    {given}
    {element}, device :: result(*)
    type(dim3) :: grid
    if (n1 >= 32) then
      grid = dim3(int((n1 + 127) / 128), int(min(pieces, 65535_8)), &
                  int(min(n3, 65535_8)))
      call {prefix}threads<<<grid, 128>>>(a, bytes, n1, n, n3, piece, pieces, result)
    else if (n1 * n < 128) then
      call {prefix}few<<<int(min((n1 * n3 + 127) / 128, 65535_8)), 128>>>(a, bytes, n1, &
        n, n3, result)
    else
      grid = dim3(int(pieces), int(min(n3, 65535_8)), 1)
      call {prefix}blocks<<<grid, 128>>>(a, bytes, n1, n, n3, piece, pieces, result)
    end if
  end subroutine
"""


CUTS = """    ! Enough results for the threads of a GPU, or for its blocks; a megabyte at most,
    ! for drivers take a tenth of a millisecond to allocate two.
    if (n1 >= 32) then
      pieces = min(131072 / (n1 * n3), n / 32)
    else
      pieces = min(4096 / n3, n1 * n / 8192)
    end if
    pieces = max(pieces, 1_8)
    piece = (n + pieces - 1) / pieces
    pieces = (n + piece - 1) / piece
"""


def reduction(name, kind, element, neutral, empty, combine):
    """sum, product, maxval, minval."""
    given = f"{element}, intent(in) :: a({{}})"
    passed = f"{element}, device :: a(*)"
    return f"""module cufort_{name}along_{kind}
{HEAD}{kernels("", given, element, neutral, "a({})", combine)}
  attributes(global) subroutine fill(result, n)
    integer(8), value :: n
    {element} :: result(n)
    integer(8) :: i
    do i = (blockidx%x - 1_8) * 128 + threadidx%x, n, griddim%x * 128_8
      result(i) = {empty}
    end do
  end subroutine

{launches("", passed, element)}
  subroutine launch(a, n1, n, n3, result) &
      bind(C, name="__cufort_{name}along_{kind}")
    integer(8), value :: n1, n, n3
    {element}, device :: a(n1, n, n3), result(n1, n3)
    {element}, allocatable, device :: part(:)
    integer(8) :: piece, pieces
    if (n1 == 0 .or. n3 == 0) return
    if (n == 0) then
      call fill<<<int(min((n1 * n3 + 127) / 128, 4096_8)), 128>>>(result, n1 * n3)
      return
    end if
{CUTS}    if (pieces == 1) then
      call pass(a, 0_8, n1, n, n3, n, 1_8, result)
      return
    end if
    allocate (part(n1 * pieces * n3))
    call pass(a, 0_8, n1, n, n3, piece, pieces, part)
    call pass(part, 0_8, n1, pieces, n3, pieces, 1_8, result)
  end subroutine
end module
"""


def counts():
    """count, any and all (mode 0, 1, 2) of logical values of so many bytes, of which
    the lowest counts; an integer or a logical value of width bytes."""
    mask = "integer(1), intent(in) :: a(bytes, {})"
    whole = "integer(8), intent(in) :: a({})"
    def add(target):
        return f"{target} = {target} + y"
    return f"""module cufort_countalong_l
{HEAD}{kernels("mask", mask, "integer(8)", "0_8",
               "merge(1_8, 0_8, a(1, {}) /= 0)", add)}
{kernels("part", whole, "integer(8)", "0_8", "a({})", add)}
  attributes(global) subroutine store(counts, total, n, mode, width, result)
    integer(8), value :: total, n, width
    integer, value :: mode
    integer(8), intent(in) :: counts(total)
    integer(1) :: result(width, total)
    integer(8) :: c, l
    integer :: b, v
    do l = (blockidx%x - 1_8) * 128 + threadidx%x, total, griddim%x * 128_8
      c = counts(l)
      if (mode == 1) c = min(c, 1_8)
      if (mode == 2) c = merge(1_8, 0_8, c == n)
      do b = 1, int(width)
        v = int(ibits(c, 8 * (b - 1), 8))
        if (v > 127) v = v - 256
        result(b, l) = int(v, 1)
      end do
    end do
  end subroutine

{launches("mask", "integer(1), device :: a(*)", "integer(8)")}
{launches("part", "integer(8), device :: a(*)", "integer(8)")}
  subroutine launch(mask, bytes, n1, n, n3, mode, width, result) &
      bind(C, name="__cufort_countalong_l")
    integer(8), value :: bytes, n1, n, n3, width
    integer, value :: mode
    integer(1), device :: mask(*), result(*)
    integer(8), allocatable, device :: part(:), counted(:)
    integer(8) :: piece, pieces
    if (n1 * n3 == 0) return
    allocate (counted(n1 * n3))
    if (n == 0) then
      counted = 0
    else
{CUTS}      if (pieces == 1) then
        call maskpass(mask, bytes, n1, n, n3, n, 1_8, counted)
      else
        allocate (part(n1 * pieces * n3))
        call maskpass(mask, bytes, n1, n, n3, piece, pieces, part)
        call partpass(part, 0_8, n1, pieces, n3, pieces, 1_8, counted)
      end if
    end if
    call store<<<int(min((n1 * n3 + 127) / 128, 65535_8)), 128>>>(counted, n1 * n3, &
      n, mode, width, result)
  end subroutine
end module
"""
