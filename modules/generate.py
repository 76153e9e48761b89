#!/usr/bin/env python3
"""Writes the Fortran source of the module cudafor: cudafor.cuf.in with its marks
replaced by what cudafor.table lists.

usage: generate.py cudafor.table cudafor.cuf.in output.cuf
"""
import re
import sys

# argument type -> (declaration, ignore_tkr letters or none). A declaration that
# only the C ABI knows how to pass keeps the routine bound to the runtime's own
# function; "descriptor" ones are served by modules/*.cpp.
PLAIN = {
    "int": "integer(c_int), value",
    "int!": "integer(c_int), intent(out)",
    "ints": "integer(c_int), intent(in)",
    "stream!": "integer(cuda_stream_kind), intent(out)",
    "stream8": "integer(cuda_stream_kind), value",
    "data": "type(c_ptr), value",
    "call": "type(c_funptr), value",
    "kernel": "procedure()",
    "text!": "character(kind=c_char), intent(out)",
    "real8*": "real(8), intent(inout)",
    "devptr": "type(c_devptr), value",
    "devptr!": "type(c_devptr), intent(out)",
    "hostptr": "type(c_ptr), value",
    "hostptr!": "type(c_ptr), intent(out)",
    "real!": "real(c_float), intent(out)",
}
DESCRIPTOR = {
    "buffer": ("type(*), intent(in)", "dm"),
    "buffer!": ("type(*)", "dm"),
    "value": ("type(*), intent(in)", None),
    "count": ("integer(4), intent(in)", "k"),
    "count!": ("integer(4)", "k"),
    "stream": ("integer(4), intent(in)", "k"),
}
# How a type(X) is passed, by what follows its name.
TYPE = {"": "value", "!": "intent(out)", "&": "intent(in)",
        "*": "intent(inout)", "[]": "intent(inout)", "[]&": "intent(in)"}
ALLOCATABLE = ("device", "managed", "pinned")
INTRINSIC = (
    [f"integer({k})" for k in (1, 2, 4, 8)]
    + [f"logical({k})" for k in (1, 2, 4, 8)]
    + [f"real({k})" for k in (2, 4, 8)]
    + [f"complex({k})" for k in (4, 8)]
    + ["character(1)"]
)


def type_of(kind):
    """The declaration of a type(X) of the module itself; None for others."""
    m = re.fullmatch(r"(cuda[A-Z]\w*|dim3)(|!|&|\*|\[\]&?)", kind)
    return f"type({m[1]}), {TYPE[m[2]]}" if m else None


def fail(number, text):
    sys.exit(f"{sys.argv[1]}:{number}: {text}")


class Routine:
    """One line of the table."""

    def __init__(self, number, line):
        m = re.fullmatch(r"(\w+)\((.*?)\)(?:\s*=\s*(\w+))?", line)
        if not m:
            fail(number, f"not a routine: {line}")
        self.name, arguments, symbol = m.groups()
        self.arguments = []
        for part in filter(None, (p.strip() for p in arguments.split(","))):
            name, _, kind = part.partition(":")
            kind = kind.strip()
            optional = kind.startswith("?")
            kind = kind.lstrip("?")
            known = kind in PLAIN or kind in DESCRIPTOR or kind in ALLOCATABLE
            if not known and not type_of(kind):
                fail(number, f"no such argument type: {kind}")
            self.arguments.append((name.strip(), kind, optional))
        plain = all((k in PLAIN or type_of(k)) and not o
                    for _, k, o in self.arguments)
        self.symbol = symbol or (self.name if plain else f"__cudafor_{self.name}")

    def variants(self):
        """The intrinsic types of the allocatable argument, or one of none."""
        kinds = [k for _, k, _ in self.arguments]
        return INTRINSIC if any(k in ALLOCATABLE for k in kinds) else [None]

    def interface(self, procedure, element):
        out = []
        names = ", ".join(a for a, _, _ in self.arguments)
        out.append(f'    integer(c_int) function {procedure}({names}) &')
        out.append(f'        bind(C, name="{self.symbol}")')
        out.append("      import")
        for name, kind, optional in self.arguments:
            letters = None
            shape = ""
            if kind in ALLOCATABLE:
                declaration = f"{element}, {kind}, allocatable"
                shape = "(..)"
            elif kind in DESCRIPTOR:
                declaration, letters = DESCRIPTOR[kind]
                shape = "(..)"
            else:
                declaration = PLAIN.get(kind) or type_of(kind)
                if optional:
                    declaration = declaration.replace("value", "intent(in)")
            if optional:
                declaration += ", optional"
            if kind in ("ints", "text!") or "[]" in kind:
                shape = "(*)"
            if kind == "text!":
                letters = "r"  # a string or an array of characters
            out.append(f"      {declaration} :: {name}{shape}")
            if letters:
                out.append(f"      !dir$ ignore_tkr({letters}) {name}")
        out.append("    end function")
        return out


def read(path):
    routines, constants, properties = [], [], []
    section = None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            word, _, rest = line.partition(" ")
            if word in ("chapter", "constants", "properties"):
                section = word
                if word == "chapter":
                    routines.append(rest)
                elif word == "constants":
                    constants.append(rest)
            elif section == "chapter":
                routines.append(Routine(number, line))
            elif section == "constants":
                constants.append((word, int(rest)))
            elif section == "properties":
                kind, *attributes = rest.split()
                properties.append((word, int(kind), attributes))
            else:
                fail(number, "outside any section")
    return routines, constants, properties


def constant_lines(constants):
    out = []
    for item in constants:
        if isinstance(item, str):
            out.append(f"\n  ! {item}")
        else:
            out.append(f"  integer(c_int), parameter :: {item[0]} = {item[1]}")
    return out


def property_lines(properties):
    out = []
    for name, kind, attributes in properties:
        shape = f"({len(attributes)})" if len(attributes) > 1 else ""
        out.append(f"    integer({kind}) :: {name}{shape} = 0")
    return out


def property_queries(properties):
    out = []
    for name, _, attributes in properties:
        for index, attribute in enumerate(attributes, 1):
            target = f"{name}({index})" if len(attributes) > 1 else name
            out.append(f"    istat = cudaDeviceGetAttribute(word, {attribute}, devnum)")
            out.append("    if (istat /= cudaSuccess) return")
            out.append(f"    prop%{target} = word")
    return out


def interface_lines(routines):
    groups = {}
    chapter = None
    for item in routines:
        if isinstance(item, str):
            chapter = item
        else:
            groups.setdefault(item.name, [chapter]).append(item)
    out = []
    previous = None
    for name, (chapter, *specifics) in groups.items():
        if chapter != previous:
            out.append(f"\n  ! {chapter}")
            previous = chapter
        bodies = [(s, e) for s in specifics for e in s.variants()]
        if len(bodies) == 1:
            out.append("  interface")
            out += bodies[0][0].interface(name, bodies[0][1])
        else:
            out.append(f"  interface {name}")
            for count, (routine, element) in enumerate(bodies, 1):
                out += routine.interface(f"cudafor_{name[4:]}_{count}", element)
        out.append("  end interface")
    return out


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    routines, constants, properties = read(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        text = file.read()
    parts = {
        "constants": constant_lines(constants),
        "properties": property_lines(properties),
        "interfaces": interface_lines(routines),
        "queries": property_queries(properties),
    }
    for name, lines in parts.items():
        mark = f"  !@{name}\n"
        if text.count(mark) != 1:
            sys.exit(f"{sys.argv[2]}: no single mark !@{name}")
        text = text.replace(mark, "\n".join(lines) + "\n")
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        file.write(text)


main()
