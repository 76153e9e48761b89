#!/usr/bin/env python3
"""Writes the kernels of the array intrinsics that host code calls with device
arrays: one source file for each intrinsic and type, so that a program links only
those that it uses.

usage: intrinsics.py --list     names, one a line
       intrinsics.py FOLDER     writes NAME.cuf for all of them

compiler/lower/host/DeviceIntrinsics.cpp names the same types; modules/intrinsics.cpp
calls the procedures.
"""
import os
import re
import sys

import along
import moves
import selections

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
ALONG = ("sum", "product", "maxval", "minval")
# Transposed by their size only.
TRANSPOSE = ("i1", "i2", "i4", "i8", "c8")


def names():
    for name, (types, _) in REDUCTIONS.items():
        yield from (f"{name}_{kind}" for kind in types)
    for name in LOCATIONS:
        yield from (f"{name}_{kind}" for kind in INTEGERS + REALS)
    yield from (f"matmul_{kind}" for kind in MATMUL)
    yield from (f"transpose_{kind}" for kind in TRANSPOSE)
    for name in ALONG:
        yield from (f"{name}along_{kind}" for kind in REDUCTIONS[name][0])
    for name in ALONG:
        yield from (f"{name}masked_{kind}" for kind in REDUCTIONS[name][0])
    for name in LOCATIONS:
        yield from (f"{name}masked_{kind}" for kind in INTEGERS + REALS)
    yield from (f"norm_{kind}" for kind in REALS)
    yield "countalong_l"
    yield from (f"moves_{kind}" for kind in TRANSPOSE)
    yield from (f"random_{kind}" for kind in REALS)


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


def location_kernel(element, better):
    earlier = "(y == x .and. j < at)"
    return f"""  attributes(global) subroutine partial(a, n, chunk, part, place)
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
"""


def location_launch(name, kind, element, better):
    return f"""  subroutine launch(a, n, at) bind(C, name="__cufort_{name}_{kind}")
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
"""


def location(name, kind):
    """As a reduction; of equal elements the first counts, and a number counts
    before one that is none."""
    element = TYPES[kind]
    relation = LOCATIONS[name]
    better = f"y {relation} x"
    if kind in REALS:
        better = f"({better} .or. (x /= x .and. y == y))"
    return f"""module cufort_{name}_{kind}
contains
{location_kernel(element, better)}
{location_launch(name, kind, element, better)}end module
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


def random(kind):
    """Numbers of Philox4x32-10 (Salmon and others, 2011): counter c under a key
    gives elements 4 * c + 1 to 4 * c + 4, of double precision two."""
    element, bits = TYPES[kind], 8 * int(kind[1])
    group = 128 // bits
    digits = 24 if bits == 32 else 53
    value = (f"real(ishft(c({{0}}), -8), 4) * 2.0_4**(-{digits})" if bits == 32
             else "real(ior(ishft(iand(int(c({0}), 8), z'ffffffff'), 21), "
                  "int(ishft(c({1}), -11), 8)), 8) * "
                  f"2.0_8**(-{digits})")
    lines = [value.format(*((j + 1,) if bits == 32 else (2 * j + 1, 2 * j + 2)))
             for j in range(group)]
    whole = "\n".join(f"        a(i + {j + 1}) = {line}"
                      for j, line in enumerate(lines))
    ends = "\n".join(f"        if (i + {j + 1} <= n) a(i + {j + 1}) = {line}"
                     for j, line in enumerate(lines))
    return f"""module cufort_random_{kind}
  use cudadevice, only: __umulhi
contains
  attributes(global) subroutine fill(a, n, key)
    integer(8), value :: n, key
    {element} :: a(n)
    integer(8) :: i
    integer :: c(4), k1, k2, high1, high2, r
    do i = ((blockidx%x - 1_8) * 128 + threadidx%x - 1) * {group}, n - 1, &
        griddim%x * 128_8 * {group}
      c = [int(i / {group}), int(ishft(i / {group}, -32)), 0, 0]
      k1 = int(key)
      k2 = int(ishft(key, -32))
      do r = 1, 10
        high1 = __umulhi(int(z'd2511f53'), c(1))
        high2 = __umulhi(int(z'cd9e8d57'), c(3))
        c = [ieor(ieor(high2, c(2)), k1), int(z'cd9e8d57') * c(3), &
             ieor(ieor(high1, c(4)), k2), int(z'd2511f53') * c(1)]
        k1 = k1 + int(z'9e3779b9')
        k2 = k2 + int(z'bb67ae85')
      end do
      if (i + {group} <= n) then
{whole}
      else
{ends}
      end if
    end do
  end subroutine

  subroutine launch(a, n, key) bind(C, name="__cufort_random_{kind}")
    integer(8), value :: n, key
    {element}, device :: a(n)
    if (n == 0) return
    call fill<<<int(min((n + {128 * group - 1}) / {128 * group}, 65535_8)), &
                128>>>(a, n, key)
  end subroutine
end module
"""


def selection(name, kind):
    if name == "countalong":
        return along.counts()
    if name == "norm":
        return selections.norm(kind, TYPES[kind])
    if name == "moves":
        return moves.moves(kind, TYPES[kind])
    name = name.removesuffix("masked")
    if name in LOCATIONS:
        return selections.located(name, kind, TYPES[kind], LOCATIONS[name],
                                  kind in REALS)
    neutral, empty = start(name, kind)
    return selections.masked(name, kind, TYPES[kind], neutral, empty,
                             lambda target: combine(name, target))


def source(whole):
    name, _, kind = whole.partition("_")
    if name.endswith("masked") or name in ("norm", "countalong", "moves"):
        return selection(name, kind)
    if name in REDUCTIONS:
        return reduction(name, kind)
    if name in LOCATIONS:
        return location(name, kind)
    if name == "random":
        return random(kind)
    if name.endswith("along"):
        name = name.removesuffix("along")
        neutral, empty = start(name, kind)
        return along.reduction(name, kind, TYPES[kind], neutral,
                               empty.replace("(result)", f"(0.0_{kind[1]})"),
                               lambda target: combine(name, target))
    if name == "transpose":
        return moves.transpose(kind, TYPES[kind])
    return matmul(kind).replace("contains\n",
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
