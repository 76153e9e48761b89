# Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where Fortran's variables lie, what they are, and how they are written.

`frame` is what the debugger gives: read(address, size), register(number) by DWARF's
numbers, pc (as in the file), load_address(address in the file).
"""

import struct

import cufort_dwarf as dwarf

MASK = 2**64 - 1
SHOWN = 200  # elements of an array, as in gdb
REPEATS = 10  # equal neighbours that are written once
SIGNED = {1: "b", 2: "h", 4: "i", 8: "q"}
REALS = {2: "e", 4: "f", 8: "d"}
BOOLEAN, COMPLEX, REAL, INTEGER, UNSIGNED = 0x02, 0x03, 0x04, 0x05, 0x07


class Unavailable(Exception):
    """What keeps a value from being shown."""


def signed(value):
    return (value & MASK) - 2**64 if value & 2**63 else value & MASK


class Locations:
    """Evaluates DWARF's expressions in a frame."""

    def __init__(self, frame, procedure):
        self.frame, self.procedure = frame, procedure

    def run(self, code, unit, place=None):
        """(value, whether it is the value itself and no address)."""
        r, stack = dwarf.Reader(code), []
        if place is not None:
            stack.append(place)
        literal = False
        while r.at < len(code):
            op = r.fixed("B")
            if op == 0x03:  # addr
                stack.append(self.frame.load_address(r.fixed("Q")))
            elif op == 0xA1:  # addrx
                address = unit.indexed_address(r.unsigned())
                stack.append(self.frame.load_address(address))
            elif op == 0x06:  # deref
                stack.append(self.word(stack.pop()))
            elif op == 0x94:  # deref_size
                size = r.fixed("B")
                stack.append(int.from_bytes(self.read(stack.pop(), size), "little"))
            elif 0x08 <= op <= 0x0F:  # const1u to const8s
                stack.append(r.fixed("BbHhIiQq"[op - 0x08]))
            elif op == 0x10:
                stack.append(r.unsigned())
            elif op == 0x11:
                stack.append(r.signed())
            elif op == 0x12:
                stack.append(stack[-1])
            elif op == 0x13:
                stack.pop()
            elif op == 0x14:
                stack.append(stack[-2])
            elif op == 0x16:
                stack[-2:] = stack[:-3:-1]
            elif op == 0x1F:
                stack.append(-stack.pop())
            elif op == 0x23:
                stack.append(stack.pop() + r.unsigned())
            elif op in OPERATIONS:
                right, left = stack.pop(), stack.pop()
                stack.append(OPERATIONS[op](signed(left), signed(right)))
            elif 0x30 <= op <= 0x4F:
                stack.append(op - 0x30)
            elif 0x50 <= op <= 0x6F:
                stack.append(self.frame.register(op - 0x50))
                literal = True
            elif 0x70 <= op <= 0x8F:
                stack.append(self.frame.register(op - 0x70) + r.signed())
            elif op == 0x91:
                stack.append(self.frame_base() + r.signed())
            elif op == 0x97:  # push_object_address
                stack.append(place)
            elif op == 0x9C:
                stack.append(self.frame.frame_address())
            elif op == 0x9F:
                literal = True
            elif op == 0x96:
                continue
            else:
                raise Unavailable("<its place is not understood>")
        if not stack:
            raise Unavailable("<optimized out>")
        return stack[-1] & MASK, literal

    def frame_base(self):
        base = self.procedure.frame_base
        if not base:
            raise Unavailable("<no frame>")
        value, _ = self.run(base, self.procedure.unit)
        return value

    def read(self, address, size):
        try:
            return self.frame.read(address & MASK, size)
        except (ValueError, OSError) as problem:
            raise Unavailable(f"<cannot access memory at {address:#x}>") from problem

    def word(self, address):
        return int.from_bytes(self.read(address, 8), "little")

    def number(self, entry, name, place):
        """An attribute that is a number, an expression or another variable."""
        value = entry.attributes.get(name)
        if isinstance(value, dwarf.Reference):
            return self.variable(entry.entry(name)).plain()
        if isinstance(value, bytes):
            found, literal = self.run(value, entry.unit, place)
            if literal or value[-1:] == b"\x06" or b"\x97" in value:
                return signed(found)
            return signed(self.word(found))
        return value if value is None else signed(value)

    def variable(self, entry):
        if entry.const_value is not None:
            return Value(self, entry.kind, literal=entry.const_value)
        location = entry.location
        if location is None and entry.entry("abstract_origin"):
            location = entry.entry("abstract_origin").location
        if location is None:
            raise Unavailable("<optimized out>")
        code = entry.unit.expression(location, self.frame.pc)
        if not code:
            raise Unavailable("<optimized out>")
        place, literal = self.run(code, entry.unit)
        if literal:
            return Value(self, entry.kind, literal=place)
        return Value(self, entry.kind, place)


OPERATIONS = {
    0x1A: lambda a, b: a & b,
    0x1B: lambda a, b: a // b if b else 0,
    0x1C: lambda a, b: a - b,
    0x1D: lambda a, b: a % b if b else 0,
    0x1E: lambda a, b: a * b,
    0x21: lambda a, b: a | b,
    0x22: lambda a, b: a + b,
    0x24: lambda a, b: a << b,
    0x25: lambda a, b: (a & MASK) >> b,
    0x26: lambda a, b: a >> b,
    0x27: lambda a, b: a ^ b,
    0x29: lambda a, b: int(a == b),
    0x2A: lambda a, b: int(a >= b),
    0x2B: lambda a, b: int(a > b),
    0x2C: lambda a, b: int(a <= b),
    0x2D: lambda a, b: int(a < b),
    0x2E: lambda a, b: int(a != b),
}


class Dimension:
    def __init__(self, lower, extent, stride):
        self.lower, self.extent, self.stride = lower, extent, stride

    @property
    def upper(self):
        return None if self.extent is None else self.lower + self.extent - 1


class Value:
    """A variable, or a part of one: a type at a place. With dimensions it is an
    array of elements of that type."""

    def __init__(self, locations, kind, place=None, literal=None, dimensions=None):
        self.locations, self.kind, self.place = locations, kind, place
        self.literal, self.dimensions = literal, dimensions
        if kind is not None and dimensions is None:
            self.resolve()

    def resolve(self):
        """Pointers and references to what they point to, arrays to their data."""
        kind = self.kind
        while kind.tag in (dwarf.POINTER, dwarf.REFERENCE) and kind.entry("type"):
            target = kind.kind
            self.place = (
                self.literal
                if self.literal is not None
                else self.locations.word(self.place)
            )
            self.literal, kind = None, target
            if not self.place:
                raise Unavailable("<not associated>")
        self.kind = kind
        if kind.tag != dwarf.ARRAY:
            return
        descriptor = self.place if self.place is not None else self.literal
        for what in ("allocated", "associated"):
            if kind.attributes.get(what) is not None:
                there = self.locations.number(kind, what, descriptor)
                if not there:
                    raise Unavailable(f"<not {what}>")
        if kind.data_location:
            self.place, _ = self.locations.run(
                kind.data_location, kind.unit, descriptor
            )
        self.kind = kind.kind
        self.dimensions = []
        step = size_of(self.kind, self.locations, descriptor)
        for each in kind.children:
            if each.tag != dwarf.SUBRANGE:
                continue
            number = self.locations.number
            lower = number(each, "lower_bound", descriptor)
            lower = 1 if lower is None else lower
            extent = number(each, "count", descriptor)
            upper = number(each, "upper_bound", descriptor)
            if extent is None and upper is not None:
                extent = upper - lower + 1
            stride = number(each, "byte_stride", descriptor)
            stride = step if stride is None else stride
            if extent is not None and extent < 0:
                extent = 0
            self.dimensions.append(Dimension(lower, extent, stride))
            step = stride * (extent or 0)

    def size(self):
        return size_of(self.kind, self.locations, self.place)

    def raw(self):
        size = self.size()
        if self.literal is not None:
            if isinstance(self.literal, bytes):
                return self.literal[:size]
            return (self.literal & MASK).to_bytes(16, "little")[:size]
        return self.locations.read(self.place, size)

    def plain(self):
        """The number, logical or text of a scalar."""
        if self.dimensions:
            raise Unavailable("an array is no number")
        if self.kind is None:
            return self.literal
        raw, size = self.raw(), self.size()
        if self.kind.tag == dwarf.STRING:
            return raw.decode(errors="replace")
        if self.kind.tag != dwarf.BASE:
            raise Unavailable("a derived type is no number")
        encoding = self.kind.encoding
        if encoding == REAL and size in REALS:
            return struct.unpack("<" + REALS[size], raw)[0]
        if encoding == COMPLEX and size // 2 in REALS:
            return complex(*struct.unpack("<2" + REALS[size // 2], raw))
        if encoding == BOOLEAN:
            return bool(int.from_bytes(raw, "little") & 1)
        if encoding in (INTEGER, 0x06):
            return int.from_bytes(raw, "little", signed=True)
        if encoding in (UNSIGNED, 0x08):
            return int.from_bytes(raw, "little")
        raise Unavailable("<a type that is not understood>")

    def component(self, name):
        if self.kind is None or self.kind.tag != dwarf.STRUCTURE:
            raise Unavailable(f"no derived type has the component {name}")
        parents = []
        for own, each in self.components():
            part = Value(
                self.locations,
                each.kind,
                self.place + (each.member_location or 0),
                dimensions=self.dimensions or None,
            )
            if own.lower() == name:
                return part
            if each.tag == dwarf.PARENT:
                parents.append(part)
        for part in parents:
            try:
                return part.component(name)
            except Unavailable:
                pass
        raise Unavailable(f"type {self.kind.name} has no component {name}")

    def components(self):
        """The names, and the entries; the parent's is that of its type."""
        for each in self.kind.children:
            if each.tag == dwarf.MEMBER:
                yield each.name or "", each
            elif each.tag == dwarf.PARENT:
                yield each.kind.name or "", each

    def subscript(self, subscripts):
        """subscripts: a number each, or a triple of first, last and step."""
        if self.kind is not None and self.kind.tag == dwarf.STRING:
            return self.substring(subscripts)
        if not self.dimensions:
            raise Unavailable("this is no array")
        if len(subscripts) != len(self.dimensions):
            raise Unavailable(f"the array has {len(self.dimensions)} dimensions")
        place, left = self.place, []
        for each, dimension in zip(subscripts, self.dimensions):
            if not isinstance(each, tuple):
                if each < dimension.lower or (
                    dimension.extent is not None and each > dimension.upper
                ):
                    raise Unavailable(
                        f"subscript {each} is outside of {bounds(dimension)}"
                    )
                place += (each - dimension.lower) * dimension.stride
                continue
            first, last, step = each
            first = dimension.lower if first is None else first
            last = dimension.upper if last is None else last
            if last is None:
                raise Unavailable("the array's extent is not known: give the last")
            place += (first - dimension.lower) * dimension.stride
            count = max(0, (last - first + step) // step)
            left.append(Dimension(1, count, dimension.stride * step))
        return Value(self.locations, self.kind, place, dimensions=left)

    def substring(self, subscripts):
        ((first, last, _),) = subscripts
        characters = self.plain()
        found = characters[(first or 1) - 1 : last or len(characters)]
        return Value(self.locations, None, literal=found)

    def write(self, budget=None):
        """As gdb does."""
        budget = budget or [SHOWN]
        if self.dimensions:
            return self.write_array(self.place, self.dimensions, budget)
        if self.kind is not None and self.kind.tag == dwarf.STRUCTURE:
            parts = []
            for name, _ in self.components():
                try:
                    what = self.component(name.lower()).write(budget)
                except Unavailable as problem:
                    what = str(problem)
                parts.append(f"{name} = {what}")
            return "( " + ", ".join(parts) + " )"
        return written(self.plain(), self.kind and self.size())

    def write_array(self, place, dimensions, budget):
        dimension, inner = dimensions[-1], dimensions[:-1]
        if dimension.extent is None:
            raise Unavailable("<the extent is not known: give a section>")
        parts, repeats = [], 0
        for i in range(dimension.extent):
            if budget[0] <= 0:
                parts.append("...")
                break
            at = place + i * dimension.stride
            if inner:
                parts.append(self.write_array(at, inner, budget))
                continue
            element = Value(self.locations, self.kind, at, dimensions=[])
            what = element.write(budget)
            repeats = repeats + 1 if parts and parts[-1] == what else 1
            # The first of many alike stands for them all, as in gdb.
            budget[0] -= repeats < REPEATS
            parts.append(what)
            if repeats >= REPEATS and (
                i + 1 == dimension.extent or self.differs(at, dimension.stride)
            ):
                parts[-repeats:] = [f"{what} <repeats {repeats} times>"]
                repeats = 0
        return "(" + (" " if inner else ", ").join(parts) + ")"

    def differs(self, place, stride):
        """Whether the element behind the one at place has another value."""
        size = self.size()
        here, behind = (
            self.locations.read(each, size) for each in (place, place + stride)
        )
        return here != behind

    def type_name(self):
        if self.kind is None:
            return type(self.literal).__name__
        name = self.kind.name or "character"
        if self.kind.tag == dwarf.STRING:
            name = f"character({self.size()})"
        elif self.kind.tag == dwarf.STRUCTURE:
            name = f"type({name})"
        if self.dimensions:
            name += " (" + ",".join(bounds(each) for each in self.dimensions) + ")"
        return name


def bounds(dimension):
    upper = "*" if dimension.extent is None else str(dimension.upper)
    return upper if dimension.lower == 1 else f"{dimension.lower}:{upper}"


def size_of(kind, locations, place):
    if kind.tag == dwarf.STRING and kind.byte_size is None:
        length = kind.attributes.get("string_length")
        if length is None:
            return 0
        if isinstance(length, int) and not isinstance(length, dwarf.Reference):
            length = kind.unit.expression(length, locations.frame.pc)
            value, literal = locations.run(length, kind.unit, place)
            return value if literal else locations.word(value)
        return locations.number(kind, "string_length", place) or 0
    if kind.byte_size is not None:
        return kind.byte_size
    return 8 if kind.tag in (dwarf.POINTER, dwarf.REFERENCE) else 0


def written(value, size=None):
    if isinstance(value, bool):
        return ".TRUE." if value else ".FALSE."
    if isinstance(value, complex):
        half = size and size // 2
        return f"({written(value.real, half)},{written(value.imag, half)})"
    if isinstance(value, float):
        if size in REALS and value == value and abs(value) != float("inf"):
            # The fewest digits that mean this number.
            for digits in range(6, 18):
                short = f"{value:.{digits}g}"
                try:
                    again = struct.pack("<" + REALS[size], float(short))
                except OverflowError:
                    continue
                if again == struct.pack("<" + REALS[size], value):
                    return short
        return f"{value:.17g}"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return str(value)
