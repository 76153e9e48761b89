"""The old interface of a library, of the functions that its table marks with
@legacy: without a handle (each host thread has one for each device, the class
Legacy of the library), options are letters, scalars of C are values, and a
result is what the function returns. In Fortran these are subroutines, and have
the plain names (dgemm) as well, which mean the host's library where the arrays
are the host's.
"""
import copy

from fortran import fortran_argument, host_scalar
from tables import NOTICE, fill


def arguments(f):
    """The arguments of the old form."""
    given = [copy.copy(a) for a in f.arguments[1:] if a is not result(f)]
    if not f.in_place:
        return given
    for a in given:
        if a.name == "B":
            a.passing = "!"
    return [a for a in given if a.name not in ("C", "ldc")]


def result(f):
    last = f.arguments[-1]
    return last if last.name == "res" else None


def by_value(a):
    return a.role == "scalar" and a.passing == ""


def short(f):
    return f.name.removesuffix("_v2")


def c_result(table, f):
    return table.types[result(f).type][0] if result(f) else "void"


def c_parameters(table, f):
    out = []
    for a in arguments(f):
        if a.type in table.letters:
            out.append(f"char {a.name}")
        elif by_value(a):
            out.append(f"{table.types[a.type][0]} {a.name}")
        else:
            out.append(table.c_parameters(type("One", (), {"arguments": [a]})))
    return ", ".join(out)


def called(table, f, letter, scalar, of_host=False):
    """The call of the new form; how a letter and a scalar become arguments;
    of_host: Fortran's scalars lie there."""
    instead = {"C": "B", "ldc": "ldb"} if f.in_place else {}
    actual = ["legacy.handle()"]
    for a in f.arguments[1:]:
        name = instead.get(a.name, a.name)
        if a is result(f):
            actual.append("&result")
        elif a.type in table.letters:
            actual.append(f"{table.letters[a.type]}({letter}{name})")
        elif of_host:
            actual.append(host_scalar(table, f, a) if a.role == "scalar" else name)
        elif by_value(a):
            actual.append(scalar + name)
        else:
            actual.append(name)
    call = f"  legacy.ended({f.name}({', '.join(actual)}));"
    if not result(f):
        return [call]
    return [f"  {c_result(table, f)} result{{}};", call, "  return result;"]


def header(table, frame):
    lines = [f"{c_result(table, f)} {short(f)}({c_parameters(table, f)});"
             for f in table.functions if f.legacy]
    return fill(frame, {"//@functions": lines})


def places(f):
    """Where the scalars of the Fortran forms lie."""
    return ("Host", "Device") if any(a.role == "scalar" for a in arguments(f)) \
        else ("Host",)


def functions(table):
    n = table.name
    out = [NOTICE.format(f"{n}: the old interface", n),
           '#include "libraries/common/FortranArguments.h"',
           f'#include "libraries/{n}/Legacy.h"', "",
           f"using namespace cufort::{n};", "using cufort::libraries::Aligned;", ""]
    for f in table.functions:
        if not f.legacy:
            continue
        out += [f'extern "C" [[gnu::visibility("default")]] {c_result(table, f)} '
                f"{short(f)}({c_parameters(table, f)}) {{",
                "  const Legacy legacy(Legacy::Host);",
                *called(table, f, "", "&"), "}"]
        parameters = []
        for a in arguments(f):
            parameters.append(
                f"const char *{a.name}" if a.type in table.letters else
                table.c_parameters(type("One", (), {"arguments": [a]})))
        for place in places(f):
            out += [f'extern "C" {c_result(table, f)} '
                    f"__cufort_legacy_{short(f)}_{place.lower()}"
                    f"({', '.join(parameters)}) {{",
                    f"  const Legacy legacy(Legacy::{place});",
                    *called(table, f, "*", "", place == "Host"), "}"]
        out += host_function(table, f)
    return "\n".join(out) + "\n"


def plain(f):
    return short(f).removeprefix("cublas").lower()


def host_function(table, f):
    """What the plain name means with arrays of the host: the program's BLAS, and
    the system's where the program is linked with none."""
    kind, name = c_result(table, f), plain(f) + "_"
    given = arguments(f)
    lengths = [a for a in given if a.type in table.letters]
    types = ", ".join(["const void *"] * len(given) + ["size_t"] * len(lengths))
    parameters = ", ".join(f"const void *{a.name}" for a in given)
    actual = ", ".join([a.name for a in given] + ["1"] * len(lengths))
    return [f'extern "C" [[gnu::weak]] {kind} {name}({types});',
            f'extern "C" {kind} __cufort_host_{plain(f)}({parameters}) {{',
            f"  static const auto function = hostFunction<decltype({name})>("
            f'{name}, "{name}");',
            f"  return function({actual});", "}"]


# Fortran


def procedure(table, f, name, place):
    """The interface of a specific procedure; \p place empty: of the host's
    library, through a function of ours, so that a program's own interface of that
    name is not compared with it."""
    given = arguments(f)
    names = ", ".join(a.name for a in given)
    kind = f"{table.types[result(f).type][1]} function" if result(f) \
        else "subroutine"
    symbol = f"__cufort_legacy_{short(f)}_{place}" if place else \
        f"__cufort_host_{plain(f)}"
    out = [f"    {kind} {name}({names}) &",
           f'        bind(C, name="{symbol}")', "      import"]
    for a in given:
        if a.type in table.letters:
            lines = [f"character, intent(in) :: {a.name}"]
        elif place:
            lines = fortran_argument(table, a, place)
        else:
            lines = fortran_argument(table, a, "host")
            lines[0] = lines[0].replace(", device", "").replace(", value", "")
        out += ["      " + line for line in lines]
    return out + [f"    end {kind.split()[-1]}"]


def module(table, frame):
    interfaces, hidden, renamed = [], [], []
    for f in table.functions:
        if not f.legacy:
            continue
        name = short(f)
        of_host = "host_" + plain(f)
        renamed.append(f"new_{name} => {name}")
        specific = [f"old_{name}_{place.lower()}" for place in places(f)]
        hidden += [*specific, of_host]
        interfaces.append(f"  interface {name}")
        for place, one in zip(places(f), specific):
            interfaces += procedure(table, f, one, place.lower())
        # Scalars of the host alone mean the host's library.
        on_device = specific if f.has("dev") else specific[-1:]
        interfaces += ["  end interface", f"  interface {plain(f)}",
                       f"    procedure {', '.join(on_device)}",
                       *procedure(table, f, of_host, ""), "  end interface"]
    names = [r.split(" ")[0] for r in renamed]
    uses = [f"    {r}, &" for r in renamed[:-1]] + [f"    {renamed[-1]}"]
    return fill(frame, {
        "!@renamed": uses,
        "!@private": ["  private :: " + name for name in names + hidden],
        "!@interfaces": interfaces})
