"""Kernels that only move elements, by the size of these: transpose, spread, and
reshape with another order of dimensions (intrinsics.py).

Threads side by side read and write elements side by side: where the array's first
dimension becomes another one of the result, through a tile in shared memory.
Divisions of what every thread has for itself are of four bytes where that is
enough, for those of eight take longer than the memory.
"""

HEAD = """  use, intrinsic :: __fortran_builtins, only: dim3 => __builtin_dim3
contains
"""


def spreading(element):
    each = "result(l) = a(mod(l - 1, n1) + 1, (l - 1) / (n1 * n) + 1)"
    narrow = ("result(l) = a(mod(int(l - 1), int(n1)) + 1, "
              "int(l - 1) / int(n1 * n) + 1)")
    return f"""  attributes(global) subroutine rows(a, n1, n, n3, result)
    integer(8), value :: n1, n, n3
    {element}, intent(in) :: a(n1, n3)
    {element} :: result(n1, n, n3), x
    integer(8) :: i, j, k
    i = (blockidx%x - 1_8) * 128 + threadidx%x
    if (i > n1) return
    do k = blockidx%z, n3, griddim%z
      x = a(i, k)
      do j = blockidx%y, n, griddim%y
        result(i, j, k) = x
      end do
    end do
  end subroutine

  attributes(global) subroutine each(a, n1, n, n3, result)
    integer(8), value :: n1, n, n3
    {element}, intent(in) :: a(n1, n3)
    {element} :: result(*)
    integer(8) :: l
    if (n1 * n * n3 < huge(0)) then
      do l = (blockidx%x - 1_8) * 128 + threadidx%x, n1 * n * n3, griddim%x * 128_8
        {narrow}
      end do
    else
      do l = (blockidx%x - 1_8) * 128 + threadidx%x, n1 * n * n3, griddim%x * 128_8
        {each}
      end do
    end if
  end subroutine
"""


def permuting(element):
    def walk(kind):
        return f"""      do l = (blockidx%x - 1_8) * 128 + threadidx%x, total, griddim%x * 128_8
        rest{kind} = int(l - 1, {kind})
        from = 1
        do r = 1, rank
          from = from + mod(rest{kind}, int(sizes(1, r), {kind})) * sizes(2, r)
          rest{kind} = rest{kind} / int(sizes(1, r), {kind})
        end do
        result(l) = a(from)
      end do"""
    return f"""  attributes(global) subroutine permuting(a, rank, sizes, total, result)
    integer, value :: rank
    integer(8), value :: total
    integer(8), intent(in) :: sizes(3, rank)
    {element}, intent(in) :: a(*)
    {element} :: result(*)
    integer(8) :: l, rest8, from
    integer :: rest4, r
    if (total < huge(0)) then
{walk(4)}
    else
{walk(8)}
    end if
  end subroutine
"""


def exchange(element, name, batch):
    """b(x, y) = a(y, x); with a batch, of each of the planes that the other
    dimensions number: their extents, and how far apart the planes are in a and b."""
    more = ", rank, sizes, planes" if batch else ""
    declared = """    integer, value :: rank
    integer(8), value :: planes
    integer(8), intent(in) :: sizes(3, rank)
    integer(8) :: plane, rest
    integer :: r
""" if batch else ""
    begin = """    do plane = blockidx%z - 1_8, planes - 1, griddim%z
      rest = plane
      from = 0
      to = 0
      do r = 1, rank
        from = from + mod(rest, sizes(1, r)) * sizes(2, r)
        to = to + mod(rest, sizes(1, r)) * sizes(3, r)
        rest = rest / sizes(1, r)
      end do
""" if batch else "    from = 0\n    to = 0\n"
    end = "    end do\n" if batch else ""
    return f"""  attributes(global) subroutine {name}(b, a, m, n, nb, na{more})
    integer(8), value :: m, n, nb, na
    {element} :: b(*)
    {element}, intent(in) :: a(*)
    {element}, shared :: tile(33, 32)
    integer :: tx, ty, k
    integer(8) :: row, column, first, from, to
{declared}    tx = threadidx%x
    ty = threadidx%y
{begin}    do first = (blockidx%y - 1_8) * 32, n - 1, griddim%y * 32_8
      row = (blockidx%x - 1_8) * 32 + tx
      do k = 0, 24, 8
        column = first + ty + k
        if (row <= m .and. column <= n) &
          tile(tx, ty + k) = a(from + row + (column - 1) * na)
      end do
      call syncthreads()
      column = first + tx
      do k = 0, 24, 8
        row = (blockidx%x - 1_8) * 32 + ty + k
        if (row <= m .and. column <= n) &
          b(to + column + (row - 1) * nb) = tile(ty + k, tx)
      end do
      call syncthreads()
    end do
{end}  end subroutine
"""


def moves(kind, element):
    """spread and reshape with another order."""
    return f"""module cufort_moves_{kind}
{HEAD}{spreading(element)}
  subroutine spread(a, n1, n, n3, result) bind(C, name="__cufort_spread_{kind}")
    integer(8), value :: n1, n, n3
    {element}, device :: a(*), result(*)
    type(dim3) :: grid
    if (n1 * n * n3 == 0) return
    if (n1 >= 32) then
      grid = dim3(int((n1 + 127) / 128), int(min((n + 7) / 8, 65535_8)), &
                  int(min(n3, 65535_8)))
      call rows<<<grid, 128>>>(a, n1, n, n3, result)
    else
      call each<<<int(min((n1 * n * n3 + 127) / 128, 65535_8)), 128>>>(a, n1, n, &
        n3, result)
    end if
  end subroutine

{permuting(element)}
{exchange(element, "exchange", True)}
  subroutine permute(a, rank, sizes, total, result) &
      bind(C, name="__cufort_permute_{kind}")
    integer, value :: rank
    integer(8), value :: total
    integer(8) :: sizes(2, rank)
    {element}, device :: a(*), result(*)
    integer(8), device :: copy(3, rank)
    integer(8) :: others(3, rank), apart, planes, nb
    type(dim3) :: grid, block
    integer :: first, r, count
    if (total == 0) return
    ! The result's dimension that is the array's first one.
    first = findloc(sizes(2, :), 1_8, dim=1)
    if (first < 2 .or. min(sizes(1, 1), sizes(1, max(first, 1))) < 8) then
      copy(1:2, :) = sizes
      call permuting<<<int(min((total + 127) / 128, 65535_8)), 128>>>(a, rank, &
        copy, total, result)
      return
    end if
    apart = 1
    planes = 1
    count = 0
    nb = 1
    do r = 1, rank
      if (r == first) nb = apart
      if (r /= 1 .and. r /= first) then
        count = count + 1
        others(:, count) = [sizes(1, r), sizes(2, r), apart]
        planes = planes * sizes(1, r)
      end if
      apart = apart * sizes(1, r)
    end do
    if (count > 0) copy(:, 1:count) = others(:, 1:count)
    grid = dim3(int((sizes(1, first) + 31) / 32), &
                int(min((sizes(1, 1) + 31) / 32, 65535_8)), int(min(planes, 65535_8)))
    block = dim3(32, 8, 1)
    call exchange<<<grid, block>>>(result, a, sizes(1, first), sizes(1, 1), nb, &
                                   sizes(2, 1), count, copy, planes)
  end subroutine
end module
"""


def transpose(kind, element):
    return f"""module cufort_transpose_{kind}
{HEAD}{exchange(element, "exchange", False)}
  subroutine launch(b, a, m, n) bind(C, name="__cufort_transpose_{kind}")
    integer(8), value :: m, n
    {element}, device :: b(n, m), a(m, n)
    type(dim3) :: grid, block
    if (m == 0 .or. n == 0) return
    grid = dim3(int((m + 31) / 32), int(min((n + 31) / 32, 65535_8)), 1)
    block = dim3(32, 8, 1)
    call exchange<<<grid, block>>>(b, a, m, n, n, m)
  end subroutine
end module
"""
