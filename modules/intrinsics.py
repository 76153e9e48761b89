#!/usr/bin/env python3
"""Writes the kernels of the array intrinsics that host code calls with device
arrays: one source file for each intrinsic and type, so that a program links only
those that it uses.

usage: intrinsics.py --list     names, one a line
       intrinsics.py FOLDER     writes NAME.cuf for all of them

compiler/lower/DeviceIntrinsics.cpp names the same types; modules/intrinsics.cpp
calls the procedures.
"""
import os
import re
import sys

TYPES = {"i1": "integer(1)", "i2": "integer(2)", "i4": "integer(4)",
         "i8": "integer(8)", "r4": "real(4)", "r8": "real(8)",
         "c4": "complex(4)", "c8": "complex(8)", "l1": "logical(1)",
         "l2": "logical(2)", "l4": "logical(4)", "l8": "logical(8)"}
INTEGERS = ("i1", "i2", "i4", "i8")
REALS = ("r4", "r8")
COMPLEX = ("c4", "c8")
LOGICALS = ("l1", "l2", "l4", "l8")
INFINITY = {"r4": "transfer(int(z'7f800000', 4), 0.0_4)",
            "r8": "transfer(int(z'7ff0000000000000', 8), 0.0_8)"}

# intrinsic -> (types, how two results are combined; x is replaced by y's value)
REDUCTIONS = {
    "sum": (INTEGERS + REALS + COMPLEX, "x = x + y"),
    "product": (INTEGERS + REALS + COMPLEX, "x = x * y"),
    "maxval": (INTEGERS + REALS, "if (y > x) x = y"),
    "minval": (INTEGERS + REALS, "if (y < x) x = y"),
    "count": (LOGICALS, "x = x + y"),
    "dot": (("i4", "i8") + REALS + COMPLEX, "x = x + y"),
}
LOCATIONS = {"maxloc": ">", "minloc": "<"}
MATMUL = ("i4", "i8") + REALS + COMPLEX
# Transposed by their size only.
TRANSPOSE = ("i1", "i2", "i4", "i8", "c8")


def names():
    for name, (types, _) in REDUCTIONS.items():
        yield from (f"{name}_{kind}" for kind in types)
    for name in LOCATIONS:
        yield from (f"{name}_{kind}" for kind in INTEGERS + REALS)
    yield from (f"matmul_{kind}" for kind in MATMUL)
    yield from (f"transpose_{kind}" for kind in TRANSPOSE)


def start(name, kind):
    """What no element changes, and what the intrinsic of an empty array is."""
    if name in ("sum", "count", "dot"):
        return "0", "0"
    if name == "product":
        return "1", "1"
    sign = "-" if name == "maxval" else ""
    if kind in REALS:
        return f"{sign}{INFINITY[kind]}", f"{sign}huge(result)"
    largest = f"huge(0_{kind[1]})"
    smallest = f"-{largest} - 1_{kind[1]}"
    return (smallest,) * 2 if name == "maxval" else (largest,) * 2


def combine(name, target):
    """The combination of target and y, in target."""
    return re.sub(r"\bx\b", target, REDUCTIONS[name][1])


def reduction(name, kind):
    """Each block reduces one piece of the array, its threads side by side, and
    the host adds the blocks' results in their order: the same every time."""
    element = TYPES[kind]
    result = "integer(8)" if name == "count" else element
    neutral, empty = start(name, kind)
    pair = name == "dot"
    parameters = "a, b" if pair else "a"

    def value(index):
        if name == "count":
            return f"merge(1_8, 0_8, a({index}))"
        if pair:
            left = f"conjg(a({index}))" if kind in COMPLEX else f"a({index})"
            return f"{left} * b({index})"
        return f"a({index})"

    def step(target, index):
        return f"y = {value(index)}; {combine(name, target)}"

    declared = parameters.replace("a", "a(n)").replace("b", "b(n)")
    return f"""module cufort_{name}_{kind}
contains
  attributes(global) subroutine partial({parameters}, n, chunk, part)
    integer(8), value :: n, chunk
    {element}, intent(in) :: {declared}
    {result} :: part(*)
    {result}, shared :: s(256)
    {result} :: x1, x2, x3, x4, y
    integer :: t, k
    integer(8) :: i, first, last
    t = threadidx%x
    first = (blockidx%x - 1_8) * chunk
    last = min(first + chunk, n)
    x1 = {neutral}
    x2 = x1
    x3 = x1
    x4 = x1
    do i = first + t, last - 768, 1024_8
      {step('x1', 'i')}
      {step('x2', 'i + 256')}
      {step('x3', 'i + 512')}
      {step('x4', 'i + 768')}
    end do
    do i = i, last, 256_8
      {step('x1', 'i')}
    end do
    y = x2; {combine(name, 'x1')}
    y = x3; {combine(name, 'x1')}
    y = x4; {combine(name, 'x1')}
    s(t) = x1
    call syncthreads()
    k = 128
    do while (k > 0)
      if (t <= k) then
        x1 = s(t)
        y = s(t + k); {combine(name, 'x1')}
        s(t) = x1
      end if
      call syncthreads()
      k = k / 2
    end do
    if (t == 1) part(blockidx%x) = s(1)
  end subroutine

  subroutine launch({parameters}, n, result) bind(C, name="__cufort_{name}_{kind}")
    integer(8), value :: n
    {element}, device :: {declared}
    {result} :: result
    {result}, device :: part(1024)
    {result} :: h(1024), y
    integer(8) :: chunk
    integer :: blocks, i
    if (n == 0) then
      result = {empty}
      return
    end if
    chunk = (n + 1023) / 1024
    chunk = max((chunk + 1023) / 1024, 2_8) * 1024
    blocks = int((n + chunk - 1) / chunk)
    call partial<<<blocks, 256>>>({parameters}, n, chunk, part)
    h(1:blocks) = part(1:blocks)
    result = h(1)
    do i = 2, blocks
      y = h(i); {combine(name, 'result')}
    end do
  end subroutine
end module
"""


def location(name, kind):
    """As a reduction; of equal elements the first counts, and a number counts
    before one that is none."""
    element = TYPES[kind]
    relation = LOCATIONS[name]
    better = f"y {relation} x"
    if kind in REALS:
        better = f"({better} .or. (x /= x .and. y == y))"
    earlier = "(y == x .and. j < at)"
    return f"""module cufort_{name}_{kind}
contains
  attributes(global) subroutine partial(a, n, chunk, part, place)
    integer(8), value :: n, chunk
    {element}, intent(in) :: a(n)
    {element} :: part(*)
    integer(8) :: place(*)
    {element}, shared :: s(256)
    integer(8), shared :: p(256)
    {element} :: x, y
    integer :: t, k
    integer(8) :: j, at, first, last
    t = threadidx%x
    first = (blockidx%x - 1_8) * chunk
    last = min(first + chunk, n)
    at = 0
    x = a(first + 1)
    do j = first + t, last, 256_8
      y = a(j)
      if (at == 0 .or. {better}) then
        x = y
        at = j
      end if
    end do
    s(t) = x
    p(t) = at
    call syncthreads()
    k = 128
    do while (k > 0)
      if (t <= k) then
        x = s(t)
        at = p(t)
        y = s(t + k)
        j = p(t + k)
        if (j /= 0 .and. (at == 0 .or. {better} .or. {earlier})) then
          s(t) = y
          p(t) = j
        end if
      end if
      call syncthreads()
      k = k / 2
    end do
    if (t == 1) then
      part(blockidx%x) = s(1)
      place(blockidx%x) = p(1)
    end if
  end subroutine

  subroutine launch(a, n, at) bind(C, name="__cufort_{name}_{kind}")
    integer(8), value :: n
    {element}, device :: a(n)
    integer(8) :: at
    {element}, device :: part(1024)
    integer(8), device :: place(1024)
    {element} :: h(1024), x, y
    integer(8) :: chunk, p(1024)
    integer :: blocks, i
    at = 0
    if (n == 0) return
    chunk = (n + 1023) / 1024
    chunk = max((chunk + 1023) / 1024, 2_8) * 1024
    blocks = int((n + chunk - 1) / chunk)
    call partial<<<blocks, 256>>>(a, n, chunk, part, place)
    h(1:blocks) = part(1:blocks)
    p(1:blocks) = place(1:blocks)
    x = h(1)
    at = p(1)
    do i = 2, blocks
      y = h(i)
      if ({better}) then
        x = y
        at = p(i)
      end if
    end do
  end subroutine
end module
"""


def matmul(kind):
    element = TYPES[kind]
    return f"""module cufort_matmul_{kind}
contains
  attributes(global) subroutine multiply(c, a, b, m, n, k)
    integer(8), value :: m, n, k
    {element} :: c(m, n)
    {element}, intent(in) :: a(m, k), b(k, n)
    {element}, shared :: sa(16, 17), sb(16, 17)
    {element} :: x
    integer :: tx, ty, l
    integer(8) :: i, j, first, base
    tx = threadidx%x
    ty = threadidx%y
    i = (blockidx%x - 1_8) * 16 + tx
    do first = (blockidx%y - 1_8) * 16, n - 1, griddim%y * 16_8
      j = first + ty
      x = 0
      do base = 0, k - 1, 16_8
        sa(tx, ty) = 0
        sb(tx, ty) = 0
        if (i <= m .and. base + ty <= k) sa(tx, ty) = a(i, base + ty)
        if (base + tx <= k .and. j <= n) sb(tx, ty) = b(base + tx, j)
        call syncthreads()
        do l = 1, 16
          x = x + sa(tx, l) * sb(l, ty)
        end do
        call syncthreads()
      end do
      if (i <= m .and. j <= n) c(i, j) = x
    end do
  end subroutine

  subroutine launch(c, a, b, m, n, k) bind(C, name="__cufort_matmul_{kind}")
    integer(8), value :: m, n, k
    {element}, device :: c(m, n), a(m, k), b(k, n)
    type(dim3) :: grid, block
    if (m == 0 .or. n == 0) return
    grid = dim3(int((m + 15) / 16), int(min((n + 15) / 16, 65535_8)), 1)
    block = dim3(16, 16, 1)
    call multiply<<<grid, block>>>(c, a, b, m, n, k)
  end subroutine
end module
"""


def transpose(kind):
    element = TYPES[kind]
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


def source(whole):
    name, _, kind = whole.partition("_")
    if name in REDUCTIONS:
        return reduction(name, kind)
    if name in LOCATIONS:
        return location(name, kind)
    text = matmul(kind) if name == "matmul" else transpose(kind)
    return text.replace("contains\n",
                        "  use, intrinsic :: __fortran_builtins, only: "
                        "dim3 => __builtin_dim3\ncontains\n", 1)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--list":
        print("\n".join(names()))
        return
    for name in names():
        path = os.path.join(sys.argv[1], f"{name}.cuf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source(name))


main()
