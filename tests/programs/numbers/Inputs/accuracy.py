#!/usr/bin/env python3
"""Writes a module that compares intrinsics of one type and kind in a kernel with
the host's: every function of the table below, at edges and random arguments.

usage: accuracy.py real2|real4|real8|complex4|complex8|integer1|integer2|integer4|integer8

The module is accuracy_<type>; its function differences() says what differs and
how often. Each procedure of the table's functions is compiled for both sides.
"""
import sys

# What an error is counted in, and how much of it there may be: units in the last
# place of the result; "one" for those of 1 where the result is smaller, since near
# a function's zeros only that can be had; "exact" for every bit, "equal" where the
# sign of zero is Flang's own.
# X and Y are arguments that may be anything, P and Q are finite and of moderate
# size, N is a small integer.
REAL = [
    ("abs(x)", "exact"), ("aint(x)", "exact"), ("anint(x)", "exact"),
    ("-x", "exact"), ("sqrt(x)", "exact"), ("fraction(p)", "exact"),
    ("spacing(x)", "exact"), ("rrspacing(p)", "exact"),
    ("real(exponent(p), k)", "exact"), ("real(ceiling(p), k)", "exact"),
    ("real(floor(p), k)", "exact"), ("real(nint(p), k)", "exact"),
    ("real(int(p, 8), k)", "exact"), ("real(int(p, 2), k)", "exact"),
    ("x + y", "exact"), ("x - y", "exact"), ("x * y", "exact"), ("x / y", "exact"),
    ("sign(x, y)", "exact"), ("dim(p, q)", "exact"), ("max(p, q)", "exact"),
    ("min(p, q)", "exact"), ("mod(p, merge(q, 1._k, q /= 0))", "equal"),
    ("modulo(p, merge(q, 1._k, q /= 0))", "exact"), ("scale(p, n)", "exact"),
    ("nearest(p, merge(q, 1._k, q /= 0))", "exact"), ("set_exponent(p, n)", "exact"),
    ("mod(x, merge(y, 1._k, y /= 0))", "equal"), ("merge(x, y, p < q)", "exact"),
    ("modulo(x, merge(y, 1._k, y /= 0))", "equal"), ("real(real(p, 4), k)", "exact"),
    ("real(real(p, 8), k)", "exact"),
    ("exp(x)", 2), ("log(x)", 2), ("log10(x)", 2), ("sin(x)", 2), ("cos(x)", 2),
    ("tan(x)", 2), ("asin(x)", 2), ("acos(x)", 2), ("atan(x)", 2), ("sinh(x)", 2),
    ("cosh(x)", 2), ("tanh(x)", 2), ("asinh(x)", 2), ("acosh(x)", 2), ("atanh(x)", 2),
    ("erf(x)", 2), ("erfc(x)", 2), ("atan2(x, y)", 2), ("hypot(x, y)", 2),
    ("atan(p, merge(q, 1._k, q /= 0))", 2), ("abs(p)**q", 2), ("p**n", "power"),
    ("erfc_scaled(abs(p))", 4), ("gamma(p)", 4), ("log_gamma(p)", "one"),
    ("bessel_j0(p)", "one"), ("bessel_j1(p)", "one"), ("bessel_y0(abs(p))", "one"),
    ("bessel_y1(abs(p))", "one"), ("bessel_jn(abs(n), p)", "one"),
    ("bessel_jn(7, p)", "one"), ("bessel_yn(2, abs(p) + 1)", "one"),
    ("sum(v)", "sum"), ("product(v)", "sum"), ("maxval(v)", "exact"),
    ("minval(v)", "exact"), ("real(maxloc(v, 1), k)", "exact"),
    ("real(minloc(v, 1), k)", "exact"), ("norm2(v)", 4),
    ("real(findloc(v, q, 1), k)", "exact"), ("real(count(v > 0), k)", "exact"),
    ("dot_product(v, w)", "sum"), ("sum(matmul(m, w))", "sum"),
]
COMPLEX = [
    ("conjg(z)", "exact"), ("-z", "exact"), ("z + w", "exact"), ("z * w", 4),
    ("z / merge(w, (1._k, 0._k), abs(w) > 0)", 4), ("cmplx(abs(z), 0, k)", 2),
    ("cmplx(aimag(z), real(z), k)", "exact"),
    ("sqrt(z)", 4), ("exp(z)", 4), ("log(merge(z, (1._k, 0._k), abs(z) > 0))", "one"),
    ("sin(z)", 4), ("cos(z)", 4), ("tan(z)", 4), ("sinh(z)", 4), ("cosh(z)", 4),
    ("tanh(z)", 4), ("asin(z)", 4), ("acos(z)", 4), ("atan(z / 40)", 4),
    ("asinh(z)", 4), ("acosh(z)", 4), ("atanh(z / 40)", 4), ("merge(z, (1._k, 0._k), abs(z) > 0)**n", "power"),
    ("merge(z, (1._k, 0._k), abs(z) > 0)**(w / 8)", "power"),
    ("merge(z, (1._k, 0._k), abs(z) > 0)**x", "power"),
    ("sum(v)", "sum"), ("product(v / 4)", "sum"), ("dot_product(v, [z, w, z])", "sum"),
]
INTEGER = [
    ("abs(i)"), ("mod(i, o)"), ("modulo(i, o)"), ("i / o"), ("i + j"), ("i - j"),
    ("i * j"), ("dim(i / 2_k, j / 2_k)"), ("sign(i, j)"), ("max(i, j)"), ("min(i, j)"),
    ("iand(i, j)"), ("ior(i, j)"), ("ieor(i, j)"), ("not(i)"), ("ishft(i, n)"),
    ("ishft(i, -n)"), ("ishftc(i, n)"), ("ishftc(i, -n)"), ("ishftc(i, s, 5)"),
    ("shiftl(i, n)"), ("shiftr(i, n)"), ("shifta(i, n)"), ("ibset(i, n)"),
    ("ibclr(i, n)"), ("ibits(i, s, 4)"), ("dshiftl(i, j, n)"), ("dshiftr(i, j, n)"),
    ("merge_bits(i, j, not(i * 3_k))"), ("merge(i, j, btest(i, n))"),
    ("merge(i, j, bge(i, j))"), ("merge(i, j, bgt(i, j))"), ("merge(i, j, ble(i, j))"),
    ("merge(i, j, blt(i, j))"), ("int(popcnt(i), k)"), ("int(poppar(i), k)"),
    ("int(leadz(i), k)"), ("int(trailz(i), k)"), ("maskl(n, k)"), ("maskr(n, k)"),
    ("i**s"), ("o**(-s)"), ("int(real(i, 4) / 2, k)"), ("int(real(i, 8) / 4096, k)"),
    ("int(i, 8)"), ("sum(v)"), ("product(v)"), ("maxval(v)"), ("minval(v)"),
    ("int(maxloc(v, 1), k)"), ("int(minloc(v, 1, back=.true.), k)"),
    ("int(findloc(v, j, 1), k)"), ("iall(v)"), ("iany(v)"), ("iparity(v)"),
    ("int(count(v > j), k)"), ("dot_product(v, [i, j, o])"), ("sum(matmul(m, v))"),
    ("merge(i, j, any(v == 0_k))"), ("merge(i, j, all(v > 0_k))"),
    ("merge(i, j, parity(v > j))"),
]
GROUP = 8


def balanced(table):
    return [table[at:at + GROUP] for at in range(0, len(table), GROUP)]


def wrapped(text):
    """A statement over as many lines as it needs."""
    return text if len(text) < 100 else text.replace(", ", ", &\n        ")


def module(kind, name, declared, body, table, arguments, check, many):
    result = {"real": f"real({kind})", "complex": f"complex({kind})",
              "integer": f"integer({kind})"}[name]
    groups = balanced(table)
    lines = [f"module accuracy_{name}{kind}", "use cudafor", "implicit none",
             f"integer, parameter, private :: k = {kind}, many = {many}", "contains"]
    for g, group in enumerate(groups):
        lines += [f"attributes(host, device) subroutine group{g}(a, b, n, r)",
                  f"{result}, value :: a, b", "integer, value :: n",
                  f"{result} :: r(*)", *declared, *body]
        for at, row in enumerate(group, 1):
            expression = row if isinstance(row, str) else row[0]
            lines.append(wrapped(f"r({at}) = {expression}"))
        lines += ["end subroutine",
                  f"attributes(global) subroutine kernel{g}(a, b, n, r)",
                  f"{result} :: a(*), b(*), r({GROUP}, *)", "integer :: n(*), t",
                  f"{result} :: own({GROUP})",
                  "t = (blockidx%x - 1) * blockdim%x + threadidx%x",
                  "if (t > many) return",
                  f"call group{g}(a(t), b(t), n(t), own)",
                  f"r(1:{len(group)}, t) = own(1:{len(group)})",
                  "end subroutine"]
    lines += arguments
    lines += ["integer function differences()",
              f"{result} :: a(many), b(many), r({GROUP}, many), h({GROUP})",
              f"{result}, device :: da(many), db(many), dr({GROUP}, many)",
              "integer :: n(many), t", "integer, device :: dn(many)",
              "differences = 0", "call arguments(a, b, n)",
              "da = a", "db = b", "dn = n"]
    for g, group in enumerate(groups):
        lines += [f"call kernel{g}<<<(many + 63) / 64, 64>>>(da, db, dn, dr)",
                  "r = dr", "do t = 1, many", f"call group{g}(a(t), b(t), n(t), h)"]
        for at, row in enumerate(group, 1):
            expression, limit = (row, "exact") if isinstance(row, str) else row
            lines.append(f'call check("{expression}", r({at}, t), h({at}), &\n'
                         f"  {check(limit)}, a(t), b(t), n(t), differences)")
        lines.append("end do")
    lines += ["end function", "end module"]
    print("\n".join(lines))


# Uniform in (0, 1), the same everywhere.
RANDOM = """real(8) function random(state)
integer(8), intent(inout) :: state
state = modulo(state * 48271_8, 2147483647_8)
random = real(state, 8) / 2147483647d0
end function"""


def real(kind):
    limits = {"exact": "0", "equal": "-4", "one": "-1", "power": "-2", "sum": "-3"}
    declared = [f"real({kind}) :: x, y, p, q, v(3), w(3), m(3, 3)"]
    body = ["x = a", "y = b", "p = 1", "q = 1",
            # Finite ones that no function turns into something too large to tell.
            "if (abs(a) < 100 .and. abs(a) > 0.001) p = a",
            "if (abs(b) < 30 .and. abs(b) > 0.001) q = b",
            "v = [p, q, p - q]", "w = [q, 2 * p, 1._k]",
            "m = reshape([p, q, p, q, q, p, 1._k, p, q], [3, 3])"]
    arguments = [RANDOM, f"""subroutine arguments(a, b, n)
use ieee_arithmetic
real(k) :: a(many), b(many), edges(24), one
integer :: n(many), t
integer(8) :: state
one = 1
edges = [0._k, -0._k, 1._k, -1._k, 0.5_k, -0.5_k, tiny(one), -tiny(one), &
  tiny(one) / 4, -tiny(one) / 8, huge(one), -huge(one), epsilon(one), &
  1 + epsilon(one), 1 - epsilon(one) / 2, -1.5_k, 2.5_k, -2.5_k, 10._k, -20.25_k, &
  ieee_value(one, ieee_positive_inf), ieee_value(one, ieee_negative_inf), &
  ieee_value(one, ieee_quiet_nan), sqrt(huge(one))]
state = 4711
do t = 1, many
  n(t) = int(random(state) * 17) - 8
  if (t <= 576) then
    a(t) = edges(mod(t - 1, 24) + 1)
    b(t) = edges((t - 1) / 24 + 1)
  else
    a(t) = real((random(state) - 0.5d0) * 10d0**int(random(state) * 5), k)
    b(t) = real((random(state) - 0.5d0) * 10d0**int(random(state) * 4), k)
  end if
end do
end subroutine""", f"""subroutine check(what, d, h, limit, a, b, n, differences)
use ieee_arithmetic
character(*) :: what
real(k) :: d, h, a, b, unit
integer :: limit, n, differences
character(80), save :: last = ' '
integer, save :: same_function = 0
logical :: same
if (h /= h .or. d /= d) then
  same = h /= h .and. d /= d
else if (abs(h) > huge(h) .or. abs(d) > huge(h) .or. limit == 0) then
  same = d == h .and. (h /= 0 .or. sign(1._k, d) == sign(1._k, h))
else if (limit == -4) then
  same = d == h
else
  unit = max(spacing(h), spacing(d))
  if (limit == -1) unit = max(unit, spacing(1._k)) * 4
  if (limit == -2) unit = unit * 8
  if (limit == -3) unit = max(unit, spacing(10000._k)) * 4
  same = abs(d - h) <= unit * merge(limit + {ALLOWANCE}, 1, limit > 0)
end if
if (same) return
differences = differences + 1
if (what /= last) same_function = 0
last = what
same_function = same_function + 1
if (same_function < 4) print *, what, a, b, n, ': device', d, 'host', h
end subroutine"""]
    table = [row for row in REAL if kind != 2 or not skipped(row[0])]
    module(kind, "real", declared, body, table, arguments,
           lambda limit: limits.get(limit, limit), 1000)


# Vectors' functions have 4 units, the others 2.
ALLOWANCE = 2


def skipped(expression):
    """What real(2) does not have on the host."""
    return any(expression.startswith(name) for name in HALF_LACKS)


HALF_LACKS = ("norm2", "mod", "fraction", "spacing", "rrspacing", "real(exponent", "scale", "nearest",
              "set_exponent", "erfc_scaled", "real(findloc")


def complex_(kind):
    limits = {"exact": "0", "equal": "-4", "one": "-1", "power": "-2", "sum": "-3"}
    declared = [f"complex({kind}) :: z, w, v(3)", f"real({kind}) :: x"]
    body = ["z = a", "w = b", "x = real(b, k)", "v = [z, w, z - w]"]
    arguments = [RANDOM, """subroutine arguments(a, b, n)
complex(k) :: a(many), b(many)
real(k) :: parts(10)
integer :: n(many), t
integer(8) :: state
parts = [0._k, -0._k, 1._k, -1._k, 0.5_k, -2._k, 1e-5_k, -30._k, 7._k, 0.1_k]
state = 99
do t = 1, many
  n(t) = int(random(state) * 13) - 6
  if (t <= 100) then
    a(t) = cmplx(parts(mod(t - 1, 10) + 1), parts((t - 1) / 10 + 1), k)
    b(t) = cmplx(parts((t - 1) / 10 + 1), parts(mod(t + 3, 10) + 1), k)
  else
    a(t) = cmplx((random(state) - 0.5d0) * 20, (random(state) - 0.5d0) * 20, k)
    b(t) = cmplx((random(state) - 0.5d0) * 4, (random(state) - 0.5d0) * 20, k)
  end if
end do
end subroutine""", f"""subroutine check(what, d, h, limit, a, b, n, differences)
character(*) :: what
complex(k) :: d, h, a, b
real(k) :: unit
integer :: limit, n, differences
character(80), save :: last = ' '
integer, save :: same_function = 0
logical :: same
if (limit == 0) then
  same = d == h
else
  ! Of the larger part: that is the size of the number.
  unit = spacing(max(abs(real(h, k)), abs(aimag(h))))
  if (limit == -1) unit = max(unit, spacing(1._k)) * 4
  if (limit == -2) unit = unit * 100
  if (limit == -3) unit = spacing(max(abs(a), abs(b))**2 + 1) * 100
  same = max(abs(real(d, k) - real(h, k)), abs(aimag(d) - aimag(h))) &
    <= unit * merge(limit + {ALLOWANCE}, 1, limit > 0)
end if
if (same) return
differences = differences + 1
if (what /= last) same_function = 0
last = what
same_function = same_function + 1
if (same_function < 4) print *, what, a, b, n, ': device', d, 'host', h
end subroutine"""]
    module(kind, "complex", declared, body, COMPLEX, arguments,
           lambda limit: limits.get(limit, limit), 700)


def integer(kind):
    declared = [f"integer({kind}) :: i, j, o, v(3), m(3, 3)", "integer :: s"]
    body = ["i = a", "j = b", "o = merge(b, 3_k, b /= 0 .and. b /= -1)",
            "s = mod(n, 4)", "v = [i, j, ieor(i, j)]",
            "m = reshape([i, j, 1_k, j, i, 2_k, o, j, i], [3, 3])"]
    arguments = [RANDOM, """subroutine arguments(a, b, n)
integer(k) :: a(many), b(many), edges(12)
integer :: n(many), t
integer(8) :: state
edges = [0_k, 1_k, -1_k, 2_k, -2_k, 7_k, -100_k, huge(0_k), -huge(0_k), &
  -huge(0_k) - 1_k, huge(0_k) / 2_k, 85_k]
state = 12345
do t = 1, many
  n(t) = int(random(state) * bit_size(0_k))
  if (t <= 144) then
    a(t) = edges(mod(t - 1, 12) + 1)
    b(t) = edges((t - 1) / 12 + 1)
  else
    a(t) = int((random(state) - 0.5d0) * 2d0**(random(state) * bit_size(0_k)), k)
    b(t) = int((random(state) - 0.5d0) * 2d0**(random(state) * bit_size(0_k)), k)
  end if
end do
end subroutine""", """subroutine check(what, d, h, limit, a, b, n, differences)
character(*) :: what
integer(k) :: d, h, a, b
integer :: limit, n, differences
character(80), save :: last = ' '
integer, save :: same_function = 0
if (d == h) return
differences = differences + 1
if (what /= last) same_function = 0
last = what
same_function = same_function + 1
if (same_function < 4) print *, what, a, b, n, ': device', d, 'host', h
end subroutine"""]
    module(kind, "integer", declared, body, INTEGER, arguments, lambda _: "0", 800)


def main():
    which = sys.argv[1]
    {"real": real, "complex": complex_, "integer": integer}[which[:-1]](int(which[-1]))


if __name__ == "__main__":
    main()
