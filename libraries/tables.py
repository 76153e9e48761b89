"""Reads the table of a library (NAME.table): its functions, enumerations and
handles, from which generate.py writes the C header, the Fortran module and the
dispatch.

A table has one thing a line; '#' begins a comment.

    library NAME                     the first line
    status TYPE SUCCESS NO_LIBRARY NO_FUNCTION
                                     what functions return: its type, and its
                                     enumerators for success, for a library that
                                     cannot be opened, and for a function that
                                     it has not
    soname FILE...                   NVIDIA's library, newest first
    package TEXT                     where it comes from, for messages
    without-device cpu               a process that finds no device has the CPU's
                                     functions: some need none
    values TYPE NAME...              arguments of a pointer type that are 1, 2, ...
                                     stand for what NVIDIA's library has in the
                                     variables of these names
    pointer-mode GET SET HOST DEVICE [END]   what tells where 'scalar' arguments
                                     lie; Fortran's names that end in END leave
                                     it as it is
    enum TYPE [TAG] NAME=NUMBER...   an enumeration (lines may end in '\\'), and its
                                     tag in C, if it has another one; in a name
                                     {a,b} stands for a and b and {8..24..8} for
                                     8, 16 and 24: NUMBER is the first one's
    constant NAME=NUMBER...          a macro in C, a parameter in Fortran
    handle TYPE STRUCT FORTRAN [COMPONENT]  a pointer to an opaque structure,
                                     and the Fortran type that holds it
    also FORTRAN NAME                another name of a handle's type in Fortran
    derived TYPE FORTRAN [COMPONENT]   the enumeration TYPE, or the status, is a type
                                     in Fortran, whose component is 'member' or that
    number TYPE C FORTRAN            another type, by its definitions
    record TYPE FORTRAN              a structure of the frames
    generic NAME FUNCTION...         a generic name in Fortran; one of the
                                     functions may have it in C
    NAME(argument: type, ...)        a function that returns the status
    [S D C Z] head$tail(...)         four of them: $ is the letter (%: the small
                                     letter), T its type, R the real type of its
                                     precision; of several letters the first counts
    header FILE                      the C header, where it is not NAME.h
    prefix TEXT                      with which all functions begin
    part NAME                        the CPU's functions that follow call those of
                                     their base names (without prefix, letter and
                                     _v2) in NAME.cpp, which may be templates, and
                                     which includes LIBRARY_NAME.inc
    letter TYPE FUNCTION             what makes an enumerator of a letter in the
                                     legacy interface
    absent NAME...                   functions of NVIDIA's that cufort has not:
                                     who names one is told so by the compiler
    absent [S D C Z] head$tail...    the same of several letters
    removed RELEASE INSTEAD [S D C Z] head$tail...   which CUDA lacks since RELEASE,
                                     and what does their work now
A function's line may end in words:
    @c       none of its Fortran interface is generated (the frame has it)
    @mixed   real arrays may stand for complex ones and the reverse, as in
             transforms in place
    @buffers one specific procedure for each type of its 'dev any' arrays, and
             one for their addresses (c_devptr)
    @is:NAME the base name, where it is another one
    @64      it has a twin NAME_64 whose integers are int64_t
    @legacy  the library has an old form of it: without the handle, options are
             letters, a result is what the function returns
    @legacy-in-place  the same, and B stands for C there
    @as:NAME the CPU's function is that of NAME, whose arguments differ in const
    @gpu     the CPU has none: it returns NO_FUNCTION there and says so once
    @makes   its first argument is a new handle, @ends: one that ends
    @stream  it sets the stream of a handle
    -> TYPE  what it returns instead of the status

Argument types
    int long longlong size float double complex dcomplex   by value: int,
                     int64_t, long long, size_t, float, ...; one of 64 bits, also
                     if it is set, is an integer of any kind in Fortran
    sizes!           a size that is set, or an array of them
    X                an enumeration, handle or number by value
    X!  X*           a scalar of the host that is set; that is read and changed
    X[]  X[]!        an array of the host that is read; that is set
    dev X  dev X!    an array of the device that is read; that is written; 'any'
                     for X: of any type
    scalar X  scalar X!   a scalar where the pointer mode says, read or written;
                     in Fortran the actual argument tells
    list X           an array of the device of addresses of such arrays
    either X, either X!   an array of the host or the device
    stream           cudaStream_t; an integer(cuda_stream_kind)
    text             a string of C; a character(*) in Fortran
A question mark before the type: may be absent in Fortran, null() included.
"""
import copy
import itertools
import re
import sys

NOTICE = """//===- {} -===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated from {}.table by generate.py.
//
//===----------------------------------------------------------------------===//

"""


def fill(frame, parts):
    with open(frame, encoding="utf-8") as file:
        text = file.read()
    for mark, lines in parts.items():
        if text.count(mark + "\n") != 1:
            sys.exit(f"{frame}: no single mark {mark}")
        indent = text[:text.index(mark + "\n")].rsplit("\n", 1)[-1]
        text = text.replace(indent + mark + "\n", "".join(l + "\n" for l in lines))
    return text


def members(word):
    """The enumerators of a word of the table, with their numbers."""
    name, number = word.split("=")
    parts = re.split(r"\{(.*?)\}", name)
    if len(parts) == 1:
        return [[name, number]]
    choices = []
    for i, part in enumerate(parts):
        values = [part]
        if i % 2:
            values = []
            for choice in part.split(","):
                bounds = choice.split("..")
                values += ([str(v) for v in range(int(bounds[0]), int(bounds[1]) + 1,
                                                  int(bounds[2]))]
                           if len(bounds) == 3 else [choice])
        choices.append(values)
    return [["".join(c), str(int(number) + i)]
            for i, c in enumerate(itertools.product(*choices))]


def names_of(text):
    """The names in '[S D] head$tail...'."""
    m = re.fullmatch(r"(?:\[([A-Z ]+)\])?(.*)", text.strip())
    return [name.replace("$", letter) for name in m[2].split()
            for letter in (m[1] or "-").split()]


LETTERS = {"S": ("float", "float"), "D": ("double", "double"),
           "C": ("complex", "float"), "Z": ("dcomplex", "double"),
           "H": ("half", "half")}
# type -> (C, Fortran)
NUMBERS = {
    "int": ("int", "integer(4)"), "long": ("int64_t", "integer(8)"),
    "size": ("size_t", "integer(8)"), "sizes": ("size_t", "integer(8)"),
    "float": ("float", "real(4)"),
    "double": ("double", "real(8)"), "complex": ("cuComplex", "complex(4)"),
    "dcomplex": ("cuDoubleComplex", "complex(8)"), "half": ("__half", "real(2)"),
    "uint": ("unsigned int", "integer(4)"),
    "ulong": ("unsigned long long", "integer(8)"),
    "longlong": ("long long", "integer(8)"),
    "uchar": ("unsigned char", "integer(1)"),
    "char": ("signed char", "character(kind=c_char)"),
    "any": ("void", "real(4)"),
}
ROLES = ("dev", "scalar", "list", "either")


class Argument:
    """One argument: role (empty for what is plain), type, and how it is
    passed ('', '!', '*', '[]' or '[]!')."""

    def __init__(self, name, text, letter):
        self.name = name
        self.optional = text.startswith("?")
        self.open = False  # of several types in Fortran, by reference
        words = text.lstrip("?").split()
        self.role = words.pop(0) if words[0] in ROLES else ""
        if len(words) != 1:
            raise ValueError(f"{name}: not a type: '{text}'")
        m = re.fullmatch(r"(\w+)(|!|\*|\[\]|\[\]!)", words[0])
        if not m:
            raise ValueError(f"{name}: not a type: '{text}'")
        self.type, self.passing = m.groups()
        if letter and self.type in ("T", "R"):
            self.type = LETTERS[letter[0]][self.type == "R"]


class Function:
    def __init__(self, name, arguments, words, result):
        self.name, self.arguments = name, arguments
        self.only_c = "@c" in words
        self.mixed = "@mixed" in words
        self.buffers = "@buffers" in words
        self.makes, self.ends = "@makes" in words, "@ends" in words
        self.sets_stream = "@stream" in words
        self.only_gpu = "@gpu" in words
        self.same_as = next((w[4:] for w in words if w.startswith("@as:")), None)
        self.own_cpu = not self.only_gpu and not self.same_as
        self.twin = "@64" in words
        self.in_place = "@legacy-in-place" in words
        self.legacy = "@legacy" in words or self.in_place
        self.base = next((w[4:] for w in words if w.startswith("@is:")), None)
        self.part = None
        self.result = result

    def has(self, role):
        return any(a.role == role for a in self.arguments)


class Table:
    def __init__(self, path):
        self.path = path
        self.functions, self.enums, self.constants = [], [], []
        self.handles, self.types, self.records = [], dict(NUMBERS), {}
        self.pointer_mode = None
        self.other_names = {}
        self.package, self.prefix, self.part, self.header = "", "", None, None
        self.letters, self.derived, self.components = {}, {}, {}
        self.without_device = "nothing"
        self.generics, self.absent, self.values = [], [], []
        self.removed = {}
        with open(path, encoding="utf-8") as file:
            text = file.read().replace("\\\n", "  ")
        for number, line in enumerate(text.splitlines(), 1):
            line = line.split("#")[0].strip()
            if line:
                try:
                    self.read(line)
                except (ValueError, IndexError) as problem:
                    sys.exit(f"{path}:{number}: {problem}: {line}")
        for function in self.functions:
            # A generic name takes no null() for what is optional.
            optional = any(a.optional for a in function.arguments)
            for a in function.arguments:
                a.open = optional and a.type == "cudaDataType"
                if a.type not in self.types and a.type not in ("stream", "text"):
                    sys.exit(f"{path}: {function.name}: no such type: {a.type}")

    def read(self, line):
        word, _, rest = line.partition(" ")
        words = rest.split()
        if word == "library":
            self.name, self.header = words[0], words[0] + ".h"
        elif word in ("header", "prefix", "part"):
            setattr(self, word, words[0])
        elif word == "letter":
            self.letters[words[0]] = words[1]
        elif word == "status":
            self.status, self.success, self.no_library, self.no_function = words
        elif word == "soname":
            self.sonames = words
        elif word == "package":
            self.package = rest.strip()
        elif word == "values":
            self.values = words
        elif word == "without-device":
            self.without_device = words[0]
        elif word == "absent":
            self.absent += names_of(rest)
        elif word == "removed":
            release, instead, names = rest.split(None, 2)
            self.removed |= {name: (release, instead) for name in names_of(names)}
        elif word == "generic":
            self.generics.append((words[0], words[1:]))
        elif word == "pointer-mode":
            self.pointer_mode = words
        elif word == "enum":
            tag = words.pop(1) if "=" not in words[1] else words[0]
            self.enums.append((words[0], [m for w in words[1:] for m in members(w)],
                               tag))
            self.types[words[0]] = (words[0], "integer(4)")
            if words[0] in self.derived:
                self.types[words[0]] = (words[0], f"type({self.derived[words[0]]})")
        elif word == "derived":
            self.derived[words[0]] = words[1]
            self.components[words[0]] = words[2] if len(words) > 2 else "member"
        elif word == "constant":
            self.constants += [w.split("=") for w in words]
        elif word == "handle":
            self.handles.append(words)
            self.types[words[0]] = (words[0], f"type({words[2]})")
        elif word == "also":
            self.other_names[words[0]] = words[1]
        elif word == "number":
            self.types[words[0]] = (" ".join(words[1:-1]), words[-1])
        elif word == "record":
            self.types[words[0]] = (words[0], f"type({words[1]})")
        else:
            self.read_function(line)

    def read_function(self, line):
        m = re.fullmatch(r"(?:\[([A-Z ]+)\]\s*)?([\w$%]+)\((.*?)\)\s*(.*)", line)
        if not m:
            raise ValueError("neither a directive nor a function")
        letters, name, arguments, words = m.groups()
        result = None
        if "->" in words:
            words, _, result = words.partition("->")
            result = result.strip()
        for letter in letters.split() if letters else [None]:
            parts = [p.partition(":") for p in arguments.split(",") if p.strip()]
            function = Function(
                name.replace("$", letter or "").replace(
                    "%", (letter or "").lower()),
                [Argument(p[0].strip(), p[2].strip(), letter) for p in parts],
                words.replace("$", letter or "").split(), result)
            function.part = self.part
            if not function.base:
                function.base = name.translate({36: "", 37: ""})[
                    len(self.prefix):]
                function.base = function.base.removesuffix("_v2")
            self.functions.append(function)

    def twin_of(self, function):
        """The function's twin for sizes of 64 bits."""
        twin = copy.deepcopy(function)
        twin.name += "_64"
        for a in twin.arguments:
            if a.type == "int" and (not a.role and not a.passing or
                                    a.role == "scalar"):
                a.type = "long"
        return twin

    # C

    def c_type(self, a):
        if a.type == "stream":
            return "cudaStream_t" + ("*" if a.passing else "")
        if a.type == "text":
            return "const char *"
        c = self.types[a.type][0]
        if a.role == "list":
            return f"{c} *const " if a.passing == "" and c != "void" else f"{c} *"
        if a.role or a.passing:
            written = a.passing.endswith("!") or a.passing == "*"
            return f"{'' if written else 'const '}{c} *"
        return c + " "

    def c_parameters(self, function):
        out = []
        for a in function.arguments:
            if a.role == "list":
                c = self.types[a.type][0]
                inner = "" if a.passing == "!" else "const "
                out.append(f"{inner}{c} *const {a.name}[]" if c != "void" else
                           f"{inner}void *const {a.name}[]")
            else:
                kind = self.c_type(a)
                out.append(kind + ("" if kind[-1] in "* " else " ") + a.name)
        return ", ".join(out) or "void"

    def fortran_status(self):
        derived = self.derived.get(self.status)
        return f"type({derived})" if derived else "integer(4)"

    def c_result(self, function):
        return function.result or self.status
