# Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What DWARF 4 and 5 say of Fortran's variables, for debuggers that know no Fortran.

Of units in other languages the head alone is read. `Image` needs the sections of a
linked file by their names; where something lies is `cufort_locations`' business.
"""

import bisect
import struct

# Tags, attributes and forms that are used here, as the standard numbers them.
ARRAY, FORMAL, BLOCK, MEMBER, POINTER = 0x01, 0x05, 0x0B, 0x0D, 0x0F
COMPILE_UNIT, STRING, STRUCTURE, TYPEDEF = 0x11, 0x12, 0x13, 0x16
MODULE, INLINED, SUBRANGE, BASE, PARENT = 0x1E, 0x1D, 0x21, 0x24, 0x1C
SUBPROGRAM, VARIABLE, CONST, REFERENCE = 0x2E, 0x34, 0x26, 0x10
FORTRAN = {0x07: 77, 0x08: 90, 0x0E: 95, 0x22: 2003, 0x23: 2008, 0x2D: 2018}
FORTRAN_NAME = 0x20  # DW_LNAME_Fortran
ATTRIBUTES = {
    0x02: "location",
    0x03: "name",
    0x0B: "byte_size",
    0x11: "low_pc",
    0x12: "high_pc",
    0x13: "language",
    0x19: "string_length",
    0x1C: "const_value",
    0x22: "lower_bound",
    0x2E: "bit_stride",
    0x2F: "upper_bound",
    0x31: "abstract_origin",
    0x34: "artificial",
    0x37: "count",
    0x38: "member_location",
    0x3E: "encoding",
    0x40: "frame_base",
    0x49: "type",
    0x4E: "allocated",
    0x4F: "associated",
    0x50: "data_location",
    0x51: "byte_stride",
    0x55: "ranges",
    0x6E: "linkage_name",
    0x72: "str_offsets_base",
    0x73: "addr_base",
    0x74: "rnglists_base",
    0x8C: "loclists_base",
    0x90: "language_name",
}
FIXED = {
    0x01: "Q",  # addr
    0x05: "H",  # data2
    0x06: "I",  # data4
    0x07: "Q",  # data8
    0x0B: "B",  # data1
    0x0C: "B",  # flag
    0x0E: "I",  # strp
    0x10: "I",  # ref_addr
    0x11: "B",  # ref1
    0x12: "H",  # ref2
    0x13: "I",  # ref4
    0x14: "Q",  # ref8
    0x17: "I",  # sec_offset
    0x1F: "I",  # line_strp
    0x20: "Q",  # ref_sig8
    0x25: "B",  # strx1
    0x26: "H",  # strx2
    0x28: "I",  # strx4
    0x29: "B",  # addrx1
    0x2A: "H",  # addrx2
    0x2C: "I",  # addrx4
}


class Reader:
    """Numbers of a section, one after the other."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def fixed(self, letter):
        (value,) = struct.unpack_from("<" + letter, self.data, self.at)
        self.at += struct.calcsize("<" + letter)
        return value

    def unsigned(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed(self):
        begin = self.at
        value = self.unsigned()
        bits = 7 * (self.at - begin)
        return value - (1 << bits) if value >> (bits - 1) else value

    def bytes(self, count):
        self.at += count
        return self.data[self.at - count : self.at]

    def string(self):
        end = self.data.index(b"\0", self.at)
        found = self.data[self.at : end].decode(errors="replace")
        self.at = end + 1
        return found


class Reference(int):
    """The place of another entry in .debug_info."""


class Entry:
    """An entry (DIE) with what is known of it, and those within it."""

    def __init__(self, unit, tag, attributes):
        self.unit, self.tag, self.attributes = unit, tag, attributes
        self.parent, self.children = None, []

    def __getattr__(self, name):
        return self.attributes.get(name)

    def entry(self, name):
        """The entry to which an attribute refers."""
        place = self.attributes.get(name)
        return self.unit.entry_at(place) if isinstance(place, Reference) else None

    @property
    def title(self):
        origin = self.entry("abstract_origin")
        return self.name or (origin.title if origin else "")

    @property
    def kind(self):
        """The type, without names for it."""
        found = self.entry("type")
        if not found and self.entry("abstract_origin"):
            return self.entry("abstract_origin").kind
        while found and found.tag in (TYPEDEF, CONST):
            found = found.entry("type")
        return found

    def holds(self, address):
        if self.ranges is not None:
            return any(a <= address < b for a, b in self.unit.ranges(self.ranges))
        if self.low_pc is None or self.high_pc is None:
            return False
        return self.low_pc <= address < self.high_pc


class Unit:
    def __init__(self, image, begin):
        self.image, self.begin = image, begin
        r = Reader(image.section("info"), begin)
        length = r.fixed("I")
        self.end = r.at + length
        self.version = r.fixed("H")
        kind = 1
        if self.version >= 5:
            kind, self.address_bytes = r.fixed("B"), r.fixed("B")
            abbreviations = r.fixed("I")
        else:
            abbreviations, self.address_bytes = r.fixed("I"), r.fixed("B")
        self.entries, self.top, self.bases = {}, None, {}
        self.is_fortran = False
        if kind != 1 or not 4 <= self.version <= 5:
            return
        self.abbreviations = image.abbreviations(abbreviations)
        self.first = r.at
        head = self.read(r)
        # Of DWARF 5 indices mean something once the head is known.
        self.bases = head.attributes
        r.at = self.first
        self.top = self.read(r)
        self.is_fortran = (
            self.top.language in FORTRAN or self.top.language_name == FORTRAN_NAME
        )

    def read(self, r):
        place = r.at
        code = r.unsigned()
        if not code:
            return None
        tag, nested, fields = self.abbreviations[code]
        attributes, relative = {}, False
        for number, form, constant in fields:
            value = self.value(r, form, constant)
            name = ATTRIBUTES.get(number)
            if name:
                attributes[name] = value
                relative |= name == "high_pc" and form not in (0x01, 0x1B)
        if relative and "low_pc" in attributes:
            attributes["high_pc"] += attributes["low_pc"]
        entry = Entry(self, tag, attributes)
        entry.nested = nested
        self.entries[place] = entry
        return entry

    def value(self, r, form, constant):
        if form in FIXED:
            value = r.fixed(FIXED[form])
            if form == 0x0E:
                return Reader(self.image.section("str"), value).string()
            if form == 0x1F:
                return Reader(self.image.section("line_str"), value).string()
            if 0x11 <= form <= 0x14:
                return Reference(self.begin + value)
            if form == 0x10:
                return Reference(value)
            if form in (0x25, 0x26, 0x28):
                return self.indexed_string(value)
            if form in (0x29, 0x2A, 0x2C):
                return self.indexed_address(value)
            return value
        if form == 0x08:  # string
            return r.string()
        if form == 0x0D:  # sdata
            return r.signed()
        if form == 0x0F:  # udata
            return r.unsigned()
        if form == 0x15:  # ref_udata
            return Reference(self.begin + r.unsigned())
        if form == 0x19:  # flag_present
            return True
        if form == 0x18 or form == 0x09:  # exprloc, block
            return r.bytes(r.unsigned())
        if form == 0x0A:  # block1
            return r.bytes(r.fixed("B"))
        if form == 0x03:  # block2
            return r.bytes(r.fixed("H"))
        if form == 0x04:  # block4
            return r.bytes(r.fixed("I"))
        if form == 0x1A:  # strx
            return self.indexed_string(r.unsigned())
        if form == 0x1B:  # addrx
            return self.indexed_address(r.unsigned())
        if form == 0x1E:  # data16
            return r.bytes(16)
        if form == 0x21:  # implicit_const
            return constant
        if form == 0x22:  # loclistx
            return self.indexed_list("loclists", r.unsigned())
        if form == 0x23:  # rnglistx
            return self.indexed_list("rnglists", r.unsigned())
        raise ValueError(f"form {form:#x} of DWARF")

    def indexed_string(self, number):
        base = self.bases.get("str_offsets_base")
        if base is None:
            return ""
        r = Reader(self.image.section("str_offsets"), base + 4 * number)
        return Reader(self.image.section("str"), r.fixed("I")).string()

    def indexed_address(self, number):
        base = self.bases.get("addr_base")
        if base is None:
            return 0
        return Reader(self.image.section("addr"), base + 8 * number).fixed("Q")

    def indexed_list(self, section, number):
        base = self.bases.get(section + "_base")
        if base is None:
            return 0
        r = Reader(self.image.section(section), base + 4 * number)
        return base + r.fixed("I")

    def entry_at(self, place):
        if not self.begin <= place < self.end:
            return self.image.unit_of(place).entry_at(place)
        self.read_all()
        return self.entries.get(place)

    def read_all(self):
        if self.top is None or self.top.children:
            return
        r = Reader(self.image.section("info"), self.first)
        open_entries = []
        while r.at < self.end:
            entry = self.read(r)
            if entry is None:
                open_entries.pop()
                if not open_entries:
                    break
                continue
            if open_entries:
                entry.parent = open_entries[-1]
                entry.parent.children.append(entry)
            else:
                self.top = entry
            if entry.nested:
                open_entries.append(entry)
            elif not open_entries:
                break

    def lists(self, section, at, old):
        """The ranges of a list, with what follows each, of DWARF 5 or before."""
        base = self.top.low_pc or 0
        r = Reader(self.image.section(old if self.version < 5 else section), at)
        located = section == "loclists"
        while self.version < 5:
            begin, end = r.fixed("Q"), r.fixed("Q")
            if not begin and not end:
                return
            if begin == 2**64 - 1:
                base = end
                continue
            yield base + begin, base + end, located and r.bytes(r.fixed("H"))
        while True:
            kind = r.fixed("B")
            if kind == 0:
                return
            # Locations have one kind more than ranges, which is for all others.
            if located and kind == 5:
                yield 0, 2**64, r.bytes(r.unsigned())
                continue
            kind -= located and kind > 5
            if kind == 1:
                base = self.indexed_address(r.unsigned())
                continue
            if kind == 5:
                base = r.fixed("Q")
                continue
            if kind == 2:
                begin = self.indexed_address(r.unsigned())
                end = self.indexed_address(r.unsigned())
            elif kind == 3:
                begin = self.indexed_address(r.unsigned())
                end = begin + r.unsigned()
            elif kind == 4:
                begin = base + r.unsigned()
                end = base + r.unsigned()
            elif kind == 6:
                begin, end = r.fixed("Q"), r.fixed("Q")
            else:
                begin = r.fixed("Q")
                end = begin + r.unsigned()
            yield begin, end, located and r.bytes(r.unsigned())

    def ranges(self, at):
        return [(a, b) for a, b, _ in self.lists("rnglists", at, "ranges")]

    def expression(self, location, address):
        """The expression that holds at address, of a location or a list of them."""
        if not isinstance(location, int):
            return location
        for begin, end, expression in self.lists("loclists", location, "loc"):
            if begin <= address < end:
                return expression
        return None


class Image:
    """The debug information of a linked file."""

    def __init__(self, read_section):
        self.read_section, self.sections, self.tables = read_section, {}, {}
        self.units = []
        place, info = 0, self.section("info")
        while place + 4 < len(info):
            unit = Unit(self, place)
            self.units.append(unit)
            place = unit.end
        self.begins = [unit.begin for unit in self.units]

    def section(self, name):
        if name not in self.sections:
            self.sections[name] = self.read_section(".debug_" + name)
        return self.sections[name]

    def abbreviations(self, at):
        if at in self.tables:
            return self.tables[at]
        r, table = Reader(self.section("abbrev"), at), {}
        while code := r.unsigned():
            tag, nested, fields = r.unsigned(), r.fixed("B"), []
            while True:
                number, form = r.unsigned(), r.unsigned()
                constant = r.signed() if form == 0x21 else None
                if not number and not form:
                    break
                fields.append((number, form, constant))
            table[code] = (tag, nested, fields)
        self.tables[at] = table
        return table

    def unit_of(self, place):
        return self.units[bisect.bisect_right(self.begins, place) - 1]

    def fortran_units(self):
        return [unit for unit in self.units if unit.is_fortran]

    def scopes(self, address):
        """The entries around address, the innermost first, ending with the
        procedure; nothing outside of Fortran."""
        for unit in self.fortran_units():
            if not unit.top.holds(address):
                continue
            unit.read_all()
            found = []
            level = unit.top.children
            while True:
                inside = next(
                    (
                        each
                        for each in level
                        if each.tag in (SUBPROGRAM, BLOCK, INLINED)
                        and each.holds(address)
                    ),
                    None,
                )
                if inside is None:
                    modules = [each for each in level if each.tag == MODULE]
                    level = [child for each in modules for child in each.children]
                    if found or not level:
                        break
                    continue
                found.insert(0, inside)
                level = inside.children
            if found:
                return found
        return []
