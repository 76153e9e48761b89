#!/usr/bin/env python3
"""Writes the module libm: C's mathematical functions by C's names, for procedures
of the host and of the device.

usage: libm.py output.cuf

Each is one of libdevice's functions: in device code of the device library or of
NVIDIA's, on the host of host_math.c. A name without the f of single precision is
generic. Names of Fortran's own intrinsic procedures (sin, acosh, hypot, floor) stand here
with that f only; Bessel functions are Fortran's alone.
"""
import sys

REAL = {"f": "real(4)", "": "real(8)"}
BOTH = """cbrt ceil exp2 exp10 expm1 fabs lgamma log1p log2 logb nearbyint rint
round tgamma trunc"""
SINGLE = """acos acosh asin asinh atan atanh cos cosh erf erfc exp floor log log10
sin sinh sqrt tan tanh"""
TWO = "copysign fdim fmax fmin fmod nextafter pow remainder"
TWO_SINGLE = "atan2 hypot"
INTEGERS = {"ilogb": "integer(4)", "llrint": "integer(8)", "llround": "integer(8)",
            "lrint": "integer(8)", "lround": "integer(8)"}
SCALED = "ldexp scalbn"
# libdevice's integers of C's long, which has its 64 bits on the host.
SAME = {"lrint": "llrint", "lround": "llround"}


def function(name, symbol, result, arguments):
    names = ", ".join(argument for argument, _ in arguments)
    changes = any("intent(out)" in declaration for _, declaration in arguments)
    prefix = "" if changes else "pure "
    yield f"    {prefix}attributes(host, device) function {name}({names}) &"
    yield f'        bind(C, name="__nv_{symbol}")'
    for argument, declaration in arguments:
        yield f"      {declaration} :: {argument}"
    yield f"      {result} :: {name}"
    yield "    end function"


def forms(name, arguments, result=None, single_only=False):
    """The function in single and in double precision; of the second argument list
    each {} is the type."""
    specifics = []
    for ending, real in REAL.items():
        if single_only and not ending:
            continue
        own = f"{name}f" if ending else f"{name}_double"
        symbol = SAME.get(name, name) + ending
        yield "  interface"
        yield from function(own, symbol, (result or real),
                            [(each, text.format(real)) for each, text in arguments])
        yield "  end interface"
        specifics.append(own)
        if not ending:
            yield f"  private :: {own}"
    if not single_only:
        yield f"  interface {name}"
        yield f"    procedure :: {', '.join(specifics)}"
        yield "  end interface"


def module():
    value = "{}, value"
    one, two = [("x", value)], [("x", value), ("y", value)]
    yield "! The module libm, written by modules/libm.py."
    yield "module libm"
    yield "  implicit none"
    for name in BOTH.split():
        yield from forms(name, one)
    for name in SINGLE.split():
        yield from forms(name, one, single_only=True)
    for name in TWO.split():
        yield from forms(name, two)
    for name in TWO_SINGLE.split():
        yield from forms(name, two, single_only=True)
    yield from forms("fma", [*two, ("z", value)])
    for name, result in INTEGERS.items():
        yield from forms(name, one, result)
    for name in SCALED.split():
        yield from forms(name, [("x", value), ("n", "integer(4), value")])
    yield from forms("frexp", [("x", value), ("n", "integer(4), intent(out)")])
    yield from forms("modf", [("x", value), ("whole", "{}, intent(out)")])
    yield from forms("remquo", [*two, ("quotient", "integer(4), intent(out)")])
    yield "end module"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in module())


main()
