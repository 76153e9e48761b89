#!/usr/bin/env python3
"""Writes what one table of a library stands for.

usage: generate.py WHAT NAME.table [FRAME|PART] OUTPUT

header     the C header: FRAME (NAME.h.in) with its marks //@enums, //@functions
macros     another header, whose mark //@macros becomes the names without _v2;
           the first one has none of them then
functions  declarations of the functions as the CPU has them, for NAME's sources
dispatch   C++: the functions that programs call, each of which leads to NVIDIA's
           library or to the CPU's function from its first call on
module     the Fortran module: FRAME (NAME.cuf.in) with !@constants, !@types and
           !@interfaces
wrappers   C++: what the module's interfaces call where an argument is no plain
           one of C
part       C++: the CPU's functions of PART, which call those of their base names
legacy-header legacy-functions legacy-module
           the library's old interface (legacy.py)
"""
import copy
import sys

from tables import Table

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


# C


def header(table, frame):
    enums = []
    for name, members in table.enums:
        enums.append(f"typedef enum {name} {{")
        enums += [f"  {m[0]} = {m[1]}," for m in members]
        enums.append(f"}} {name};\n")
    enums += [f"#define {c[0]} {c[1]}" for c in table.constants]
    enums += [f"typedef struct {h[1]} *{h[0]};" for h in table.handles]
    functions = []
    for f in all_functions(table):
        functions.append(f"{table.c_result(f)} {f.name}({table.c_parameters(f)});")
        if table.header == table.name + ".h":
            functions += short_name(f)
    return fill(frame, {"//@enums": enums, "//@functions": functions})


def short_name(f):
    short = f.name.replace("_v2", "")
    return [f"#define {short} {f.name}"] if short != f.name else []


def macros(table, frame):
    return fill(frame, {"//@macros": [line for f in all_functions(table)
                                      for line in short_name(f)]})


def all_functions(table):
    """Each function and behind it its twin."""
    for f in table.functions:
        yield f
        if f.twin:
            yield table.twin_of(f)


def functions(table):
    out = [NOTICE.format(f"{table.name}: the CPU's functions", table.name)]
    guard = f"CUFORT_LIBRARIES_{table.name.upper()}_FUNCTIONS_H"
    out += [f"#ifndef {guard}", f"#define {guard}", "",
            f'#include "{table.header}"', "",
            f"namespace cufort::{table.name} {{", "",
            "/// NVIDIA's library.",
            "inline constexpr const char *VendorFiles[] = {" +
            ", ".join(f'"{s}"' for s in table.sonames) + ", nullptr};", ""]
    out += [f"{table.c_result(f)} {f.name}({table.c_parameters(f)});"
            for f in all_functions(table) if not f.only_gpu]
    out += ["", f"}} // namespace cufort::{table.name}", "", f"#endif // {guard}"]
    return "\n".join(out) + "\n"


def twins(table, functions):
    """The CPU's twins for sizes of 64 bits, as far as they have no more."""
    out = []
    for f in functions:
        if not f.twin or f.only_gpu:
            continue
        twin = table.twin_of(f)
        narrow = [a.name for a, b in zip(twin.arguments, f.arguments)
                  if a.type != b.type and not a.role]
        called = f.base if f.part else f"{table.name}::{f.name}"
        actual = [(f"static_cast<int>({a.name})" if a.name in narrow else
                   f"elements({a.name})" if f.part and (a.role or a.passing) else
                   a.name) for a in twin.arguments]
        out += [f"{table.c_result(f)} {twin.name}({table.c_parameters(twin)}) {{",
                f"  if (!areInts({{{', '.join(narrow)}}}))",
                f"    return {table.no_function};",
                f"  return {called}({', '.join(actual)});", "}"]
    return out and ["namespace " + f"cufort::{table.name} {{", *out, "}", ""]


def part(table, name):
    functions = [f for f in table.functions if f.part == name and not f.only_gpu]
    out = [NOTICE.format(f"{table.name}: {name}", table.name),
           f"namespace cufort::{table.name} {{", ""]
    for f in functions:
        actual = [f"elements({a.name})" if a.role or a.passing else a.name
                  for a in f.arguments]
        out += [f"{table.c_result(f)} {f.name}({table.c_parameters(f)}) {{",
                f"  return {f.base}({', '.join(actual)});", "}"]
    out += ["}", "", *twins(table, functions)]
    return "\n".join(out) + "\n"


def body(table, f, call):
    """What a function does around the call of where it leads."""
    handle = f.arguments[0].name if f.arguments else ""
    if f.makes:
        return [f"  const {table.c_result(f)} result = {call};",
                f"  if (result == {table.success})",
                f"    followDefaultStream(setStream, numberOf(*{handle}));",
                "  return result;"]
    if f.ends or f.sets_stream:
        return [f"  leaveDefaultStream(setStream, numberOf({handle}));",
                f"  return {call};"]
    return [f"  return {call};"]


def dispatch(table):
    n = table.name
    setter = next((f for f in table.functions if f.sets_stream), None)
    out = [NOTICE.format(f"{n}: where each function leads", n)]
    out += [f'#include "libraries/common/Dispatch.h"',
            f'#include "libraries/common/DefaultStream.h"',
            f'#include "{n}_functions.h"', "",
            "namespace {", "using namespace cufort::libraries;", "",
            f'constinit VendorLibrary Vendor("{n}", cufort::{n}::VendorFiles, '
            f'"{table.package}"'
            + (", true);" if table.without_device == "cpu" else ");")]
    if setter:
        out += ["void setStream(intptr_t handle, cudaStream_t stream);"]
    out += ["} // namespace", ""]
    out += twins(table, [f for f in table.functions if not f.part])
    for f in all_functions(table):
        parameters = table.c_parameters(f)
        names = ", ".join(a.name for a in f.arguments)
        result = table.c_result(f)
        cpu = "nullptr" if f.only_gpu else f"cufort::{n}::{f.name}"
        if f.result:
            absent = lacking = "{}"
        else:
            absent, lacking = table.no_library, table.no_function
        signature = ", ".join(p.strip() for p in [parameters])
        out += ["namespace {",
                f"{result} first_{f.name}({parameters});",
                f"constinit std::atomic<{result} (*)({signature})> "
                f"target_{f.name}{{first_{f.name}}};",
                f"{result} first_{f.name}({parameters}) {{",
                f"  switch (Vendor.lead(\"{f.name}\", target_{f.name}, "
                f"static_cast<{result} (*)({signature})>({cpu}))) {{",
                "  case Lead::Found:",
                f"    return target_{f.name}.load(std::memory_order_acquire)({names});",
                "  case Lead::NoLibrary:",
                f"    return {absent};",
                "  case Lead::NoFunction:",
                f"    return {lacking};",
                "  }", "  __builtin_unreachable();", "}", "} // namespace",
                f'extern "C" [[gnu::visibility("default")]] {result} '
                f"{f.name}({parameters}) {{",
                *body(table, f,
                      f"target_{f.name}.load(std::memory_order_acquire)({names})"),
                "}", ""]
    if setter:
        handle = table.c_type(setter.arguments[0]).strip()
        out += ["namespace {",
                "void setStream(intptr_t handle, cudaStream_t stream) {",
                f"  target_{setter.name}.load(std::memory_order_acquire)("
                f"handleOf<{handle}>(handle), stream);", "}", "} // namespace"]
    return "\n".join(out)


# Fortran


WIDE = ("long", "longlong", "size", "sizes", "ulong")
# What else an array of a type may be in a transform in place.
OTHER = {"real(4)": "complex(4)", "real(8)": "complex(8)",
         "complex(4)": "real(4)", "complex(8)": "real(8)"}


def by_descriptor(a):
    return not a.role and a.passing in ("", "!") and a.type in WIDE


def needs_wrapper(f):
    return any(by_descriptor(a) or a.type == "text" or a.open
               for a in f.arguments)


def fortran_argument(table, a, scalars):
    """Declaration and directive of one dummy argument."""
    optional = ", optional" if a.optional else ""
    if a.type == "stream":
        how = "value" if not a.passing else "intent(out)"
        return [f"integer(cuda_stream_kind), {how} :: {a.name}"]
    if a.type == "text":
        return [f"character(*), intent(in) :: {a.name}"]
    fortran = table.types[a.type][1]
    letters = "tkr" if a.type == "any" else "r"
    if by_descriptor(a):
        if a.type == "sizes":
            # Of arrays Flang does not ignore the kind alone.
            return [f"type(*), intent(inout){optional}, dimension(..) :: {a.name}"]
        intent = "intent(inout)" if a.passing else "intent(in)"
        return [f"integer(4), {intent}{optional}, dimension(..) :: {a.name}",
                f"!dir$ ignore_tkr (k) {a.name}"]
    if a.role == "dev":
        return [f"{fortran}, device{optional} :: {a.name}(*)",
                f"!dir$ ignore_tkr ({letters}) {a.name}"]
    if a.role == "list":
        return [f"type(c_devptr), device{optional} :: {a.name}(*)",
                f"!dir$ ignore_tkr (r) {a.name}"]
    if a.role == "either":
        return [f"{fortran}{optional} :: {a.name}(*)",
                f"!dir$ ignore_tkr ({letters}dm) {a.name}"]
    if a.role == "scalar":
        device = ", device" if scalars == "device" else ""
        extent = "(*)" if a.passing.startswith("[]") else ""
        out = [f"{fortran}{device}{optional} :: {a.name}{extent}"]
        if extent:
            out.append(f"!dir$ ignore_tkr (r) {a.name}")
        if a.type == "any":
            out.append(f"!dir$ ignore_tkr (tk) {a.name}")
        return out
    if a.passing in ("[]", "[]!"):
        return [f"{fortran}{optional} :: {a.name}(*)",
                f"!dir$ ignore_tkr ({letters}) {a.name}"]
    if a.passing:
        intent = "intent(out)" if a.passing == "!" else "intent(inout)"
        if a.type == "any":
            return [f"{fortran}{optional} :: {a.name}(*)",
                    f"!dir$ ignore_tkr (tkr) {a.name}"]
        # What is undefined before a call must not be set to its default first.
        intent = "intent(inout)" if fortran.startswith("type") else intent
        return [f"{fortran}, {intent}{optional} :: {a.name}"]
    if a.open:
        return [f"{fortran}, intent(in) :: {a.name}",
                f"!dir$ ignore_tkr (t) {a.name}"]
    if optional:
        return [f"{fortran}, intent(in){optional} :: {a.name}"]
    return [f"{fortran}, value :: {a.name}"]


def with_data_types(table, f):
    """The function with type(cudaDataType) where it has integers, if it has."""
    if not any(a.type == "cudaDataType" and not a.open for a in f.arguments):
        return None
    twin = copy.deepcopy(f)
    for a in twin.arguments:
        if a.type == "cudaDataType":
            a.type = "cudaDataTypeOf"
    table.types["cudaDataTypeOf"] = (table.types["cudaDataType"][0],
                                     "type(cudaDataType)")
    return twin


def symbol_of(f, scalars):
    if scalars:
        return f"__cufort_{f.name}_{scalars}"
    return f"__cufort_{f.name}" if needs_wrapper(f) else f.name


def fortran_function(table, f, name, scalars, others=()):
    """The interface of one specific procedure; \p others: the arrays that are
    real instead of complex, or the reverse."""
    names = ", ".join(a.name for a in f.arguments)
    out = [f"    {table.fortran_status()} function {name}({names}) &",
           f'        bind(C, name="{symbol_of(f, scalars)}")', "      import"]
    for a in f.arguments:
        lines = fortran_argument(table, a, scalars)
        if a in others:
            kind = table.types[a.type][1]
            lines[0] = lines[0].replace(kind, OTHER[kind])
        out += ["      " + line for line in lines]
    return out + ["    end function"]


# The types of arrays that a program may send.
BUFFERS = ("integer(4)", "integer(1)", "integer(8)", "real(2)", "real(3)", "real(4)",
           "real(8)", "complex(4)", "complex(8)")


def addresses_symbol(f):
    return f"__cufort_{f.name}_addresses"


def buffer_functions(table, f):
    """Specific procedures for arrays of each type, and for addresses."""
    out = []
    arrays = [a.name for a in f.arguments if a.role == "dev"]
    for i, kind in enumerate((*BUFFERS, "type(c_devptr)")):
        lines = fortran_function(table, f, f"{f.name}_{i}" if i else f.name, None)
        for line in lines:
            if "(c_devptr)" in kind:
                # Calls through two interfaces of one symbol agree in what is
                # passed, or Flang counts registers wrongly.
                line = line.replace(f'"{symbol_of(f, None)}"',
                                    f'"{addresses_symbol(f)}"')
            name = line.split()[-1]
            if name.removesuffix("(*)") not in arrays:
                out.append(line)
            elif "(c_devptr)" in kind:
                if "ignore_tkr" not in line:
                    out.append(f"      type(c_devptr), value :: {name[:-3]}")
            else:
                out.append(line.replace("real(4)", kind).replace("(tkr)", "(r)"))
    return out


def fortran_names(f):
    return [f.name, f.name[:-3]] if f.name.endswith("_v2") else [f.name]


def generics(table):
    out = []
    for name, members in table.generics:
        out.append(f"  interface {name}")
        for f in table.functions:
            if f.name in members:
                out += fortran_function(table, f, f"{name}_{members.index(f.name)}",
                                        None)
        out.append("  end interface")
    return out


def interfaces(table):
    out = generics(table)
    taken = [name for name, _ in table.generics]
    for f in table.functions:
        if f.only_c or f.result or f.name in taken:
            continue
        first = fortran_names(f)[0]
        forms = [("", f)]
        if twin := with_data_types(table, f):
            forms.append(("_typed", twin))
        for name in fortran_names(f):
            if name != first:
                specific = [first + tail + end for tail, _ in forms for end in
                            (("_host", "_device") if f.has("scalar") else ("",))]
                out += [f"  interface {name}",
                        f"    procedure {', '.join(specific)}"]
            elif f.has("scalar"):
                out.append(f"  interface {name}")
                for tail, form in forms:
                    for scalars in ("host", "device"):
                        out += fortran_function(table, form,
                                                f"{name}{tail}_{scalars}", scalars)
            elif f.buffers:
                out += [f"  interface {name}", *buffer_functions(table, f)]
            elif f.mixed:
                out.append(f"  interface {name}")
                arrays = [a for a in f.arguments if a.role == "dev"]
                for i in range(2 ** len(arrays)):
                    others = [a for k, a in enumerate(arrays) if i >> k & 1]
                    out += fortran_function(table, f, f"{name}_{i}" if i else name,
                                            None, others)
            else:
                out.append(f"  interface {name}" if len(forms) > 1
                           else "  interface")
                for tail, form in forms:
                    out += fortran_function(table, form, name + tail, None)
            out.append("  end interface")
    return out


# What cudafor has of types of elements, and modules of libraries show as well.
DATA_TYPES = ["cudaDataType", "operator(==)", "operator(/=)"] + [
    f"CUDA_{c}_{t}" for c in "RC" for t in
    ("16F", "16BF", "32F", "64F", "8I", "8U", "16I", "16U", "32I", "32U", "64I",
     "64U")] + ["CUDA_R_8F_E4M3", "CUDA_R_8F_E5M2"]


def module(table, frame):
    constants = [f"  integer(4), parameter :: {m[0]} = {m[1]}"
                 for name, members in table.enums for m in members
                 if name not in table.derived]
    constants += [f"  integer(4), parameter :: {c[0]} = {c[1]}"
                  for c in table.constants]
    types = []
    for h in table.handles:
        component = h[3] if len(h) > 3 else "handle"
        types += [f"  type, bind(c) :: {h[2]}",
                  f"    type(c_ptr) :: {component} = c_null_ptr", "  end type", ""]
    for name, members in table.enums:
        if name in table.derived:
            kind = table.derived[name]
            types += [f"  type, bind(c) :: {kind}", "    integer(4) :: member",
                      "  end type"]
            types += [f"  type({kind}), parameter :: {m[0]} = {kind}({m[1]})"
                      for m in members] + [""]
    text = fill(frame, {"!@constants": constants,
                        "!@types": types, "!@interfaces": interfaces(table)})
    if "cudaDataType" in table.types:
        names = ", &\n    ".join(", ".join(DATA_TYPES[i:i + 4])
                                for i in range(0, len(DATA_TYPES), 4))
        text = text.replace("\n  implicit none\n",
                            f"\n  use cudafor, only: {names}\n  implicit none\n",
                            1)
    return text


def wrappers(table):
    n = table.name
    out = [NOTICE.format(f"{n}: what its Fortran module calls", n),
           '#include "libraries/common/FortranArguments.h"',
           f'#include "{table.header}"', "", "using namespace cufort::libraries;",
           ""]
    if table.pointer_mode:
        get, put, host, device = table.pointer_mode
        handle = table.handles[0][0]
        out += [f"using Mode = PointerMode<{handle}, {get}, {put}, {host}, "
                f"{device}>;", ""]
    for f in table.functions:
        if f.only_c or f.result:
            continue
        for scalars in ("host", "device") if f.has("scalar") else (None,):
            if not scalars and not needs_wrapper(f):
                continue
            parameters, actual = [], []
            for a in f.arguments:
                if by_descriptor(a):
                    parameters.append(f"const CFI_cdesc_t *{a.name}")
                    c = table.types[a.type][0]
                    actual.append(f"SetInteger<{c}>({a.name})" if a.passing
                                  else f"integerOf({a.name})")
                elif a.type == "text":
                    # The length follows all arguments.
                    parameters.append(f"const CFI_cdesc_t *{a.name}")
                    actual.append(f"Text({a.name}).string()")
                elif a.open:
                    parameters.append(f"const {table.c_type(a)}*{a.name}")
                    actual.append(f"*{a.name}")
                elif a.optional and not a.role and not a.passing:
                    kind = table.c_type(a)
                    parameters.append(f"const {kind}*{a.name}")
                    actual.append(f"valueOf({a.name})")
                elif a.role == "list":
                    parameters.append(table.c_parameters(
                        type("One", (), {"arguments": [a]})))
                    actual.append(a.name)
                else:
                    kind = table.c_type(a)
                    parameters.append(kind + " " + a.name)
                    actual.append(a.name)
            symbols = [symbol_of(f, scalars)]
            if f.buffers:
                symbols.append(addresses_symbol(f))
            for symbol in symbols:
                out += [f'extern "C" {table.status} {symbol}('
                        f'{", ".join(parameters)}) {{']
                if scalars:
                    first = f.arguments[0].name
                    out.append(
                        f"  const Mode mode({first}, Mode::{scalars.title()});")
                out += [f"  return {f.name}({', '.join(actual)});", "}", ""]
    return "\n".join(out)


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    what, path, *frame, output = sys.argv[1:]
    import legacy  # which imports this module
    maker = {"header": header, "functions": functions, "dispatch": dispatch,
             "module": module, "wrappers": wrappers, "macros": macros,
             "part": part, "legacy-header": legacy.header,
             "legacy-functions": legacy.functions,
             "legacy-module": legacy.module}[what]
    text = maker(Table(path), *frame)
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
