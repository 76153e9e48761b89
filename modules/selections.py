"""Kernels of array intrinsics with masks and of norms, also along one dimension, and
of maxloc and minloc along one (intrinsics.py).

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
    """A block for `width` results side by side, whose elements are side by side, too:
    its threads go through the middle dimension, and meet in a tree of half the distance
    each time."""
    return f"""    integer(8), value :: bytes, width, n1, n, n3, total
    integer(1), intent(in) :: mask(max(bytes, 1_8), total)
{declared}
{shared}
    logical :: wanted
    integer :: t, half
    integer(8) :: i, j, k, l, at, across
    t = threadidx%x
    across = (n1 + width - 1) / width
    do l = blockidx%x - 1_8, across * n3 - 1, griddim%x
      i = mod(l, across) * width + mod(int(t - 1, 8), width) + 1
      k = l / across
{body}
      call syncthreads()
      half = 64
      do while (half >= width)
        if (t <= half) then
{after}
        end if
        call syncthreads()
        half = half / 2
      end do"""


# Of kernels for one dimension: how wide, and how many blocks.
WIDTH = """    width = merge(32_8, merge(4_8, 1_8, n1 >= 4), n1 >= 32)
    blocks_wanted = int(min((n1 + width - 1) / width * n3, 65535_8))
"""

WANTED = """        at = i + (j + k * n) * n1
        if (i > n1 .or. at > total) exit
        wanted = bytes == 0
        if (.not. wanted) wanted = mask(1, at) /= 0
        if (.not. wanted) cycle
"""


def masked_kernel(kind, element, neutral, empty, combine):
    """found: whether there is an element for which the mask is true."""
    body = f"""      x = {neutral}
      any = 0
      do j = (t - 1) / width, n - 1, 128 / width
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
    return f"""\
  attributes(global) subroutine blocks(a, mask, bytes, width, n1, n, n3, total, &
      result, found, parts)
{walk(body, after, shared, declared)}
      if (t <= width .and. i <= n1) then
        x = {none}
        if (f(t) == 1) x = s(t)
        at = i + k * n1
        result(at) = x
        if (at <= parts) found(at) = f(t)
      end if
      call syncthreads()
    end do
  end subroutine
"""


def masked_launches(name, kind, element, empty, combine):
    return f"""  subroutine launch(a, mask, bytes, total, result) &
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
{PIECES}    call blocks<<<int(n3), 128>>>(a, mask, bytes, 1_8, 1_8, n, n3, total, part, &
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
    integer(8) :: width
    integer :: blocks_wanted
    if (n1 * n3 == 0) return
{WIDTH}    call blocks<<<blocks_wanted, 128>>>(a, mask, bytes, width, n1, n, n3, &
      n1 * n * n3, result, found, 0_8)
  end subroutine
"""


def masked(name, kind, element, neutral, empty, combine):
    """sum, product, maxval and minval where a mask is true."""
    return f"""module cufort_{name}masked_{kind}
{HEAD}{masked_kernel(kind, element, neutral, empty, combine)}
{masked_launches(name, kind, element, empty, combine)}end module
"""


def located_kernel(element, better, earlier):
    """better, earlier: the conditions for y to count before x, or at j before p1."""
    body = f"""      p1 = 0
      x = 0
      do j = (t - 1) / width, n - 1, 128 / width
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
    return f"""\
  attributes(global) subroutine blocks(a, mask, bytes, width, n1, n, n3, total, &
      words, result, part, place, parts)
{walk(body, after, shared, declared)}
      if (t <= width .and. i <= n1) then
        at = i + k * n1
        if (at <= parts) then
          part(at) = s(t)
          place(at) = p(t)
        else
          result(1, at) = int(p(t))
          if (words == 2) result(2, at) = int(ishft(p(t), -32))
        end if
      end if
      call syncthreads()
    end do
  end subroutine
"""


def located_launches(name, kind, element, better):
    return f"""  subroutine launch(a, mask, bytes, total, found) &
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
{PIECES}    call blocks<<<int(n3), 128>>>(a, mask, bytes, 1_8, 1_8, n, n3, total, 1_8, &
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
    integer(8) :: width
    integer :: blocks_wanted
    if (n1 * n3 == 0) return
{WIDTH}    call blocks<<<blocks_wanted, 128>>>(a, mask, bytes, width, n1, n, n3, &
      n1 * n * n3, words, result, part, place, 0_8)
  end subroutine
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
    return f"""module cufort_{name}masked_{kind}
{HEAD}{located_kernel(element, better, earlier)}
{located_launches(name, kind, element, better)}end module
"""


def norm_blocks(kind, element):
    """The norm of each piece; where the sum of squares is out of the range of double
    precision, again, of numbers that are brought into it."""
    return f"""\
  attributes(global) subroutine blocks(a, n1, n, n3, total, result, part, parts)
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
      scale = 1
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
      end do
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
"""


def norm_squares(element):
    """The sum of squares of each piece of a whole array."""
    return f"""  attributes(global) subroutine squares(a, total, chunk, part)
    integer(8), value :: total, chunk
    {element}, intent(in) :: a(total)
    real(8) :: part(*), x1, x2, x3, x4
    real(8), shared :: s(256)
    integer(8) :: i, last
    integer :: t, half
    t = threadidx%x
    x1 = 0
    x2 = 0
    x3 = 0
    x4 = 0
    last = min(blockidx%x * chunk, total)
    do i = (blockidx%x - 1_8) * chunk + t, last - 768, 1024_8
      x1 = x1 + real(a(i), 8)**2
      x2 = x2 + real(a(i + 256), 8)**2
      x3 = x3 + real(a(i + 512), 8)**2
      x4 = x4 + real(a(i + 768), 8)**2
    end do
    do i = i, last, 256_8
      x1 = x1 + real(a(i), 8)**2
    end do
    s(t) = (x1 + x2) + (x3 + x4)
    call syncthreads()
    half = 128
    do while (half > 0)
      if (t <= half) s(t) = s(t) + s(t + half)
      call syncthreads()
      half = half / 2
    end do
    if (t == 1) part(blockidx%x) = s(1)
  end subroutine
"""


def norm_launches(kind, element):
    return f"""\
  subroutine launch(a, total, result) bind(C, name="__cufort_norm_{kind}")
    integer(8), value :: total
    {element}, device :: a(total)
    {element} :: result
    real(8), device :: part(1024)
    {element}, device :: unused(1)
    real(8) :: h(1024), x
    integer(8) :: n, n3
    result = 0
    if (total == 0) return
    n = max(((total + 1023) / 1024 + 1023) / 1024, 2_8) * 1024
    n3 = (total + n - 1) / n
    call squares<<<int(n3), 256>>>(a, total, n, part)
    h(1:n3) = part(1:n3)
    x = sum(h(1:n3))
    if (x >= 1e-280_8 .and. x <= huge(x)) then
      result = real(sqrt(x), {kind[1]})
      return
    end if
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
"""


def norm(kind, element):
    """norm2: squares are summed in double precision."""
    return f"""module cufort_norm_{kind}
{HEAD}{norm_blocks(kind, element)}
{norm_squares(element)}
{norm_launches(kind, element)}end module
"""
