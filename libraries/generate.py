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
import sys

import fortran
import legacy
from tables import NOTICE, Table, fill


# C


def header(table, frame):
    enums = []
    for name, members, tag in table.enums:
        enums.append(f"typedef enum {tag} {{")
        enums += [f"  {m[0]} = {m[1]}," for m in members]
        enums.append(f"}} {name};\n")
    enums += [f"#define {c[0]} {c[1]}" for c in table.constants]
    enums += [f"typedef struct {h[1]} *{h[0]};" for h in table.handles]
    functions = []
    for f in all_functions(table):
        functions.append(f"{table.c_result(f)} {f.name}({table.c_parameters(f)});")
        if table.header == table.name + ".h":
            functions += short_name(f)
    functions += unavailable(table)
    return fill(frame, {"//@enums": enums, "//@functions": functions})


def unavailable(table):
    """Declarations of what there is not, which may not be called."""
    if not table.absent and not table.removed:
        return []
    lacks = f"cufort does not have this routine of {table.name}; "
    removed = [f'CUFORT_ABSENT({name}, "{table.name} lacks it since CUDA {release}; '
               f'{instead} does its work");'
               for name, (release, instead) in table.removed.items()]
    return (["", "// What cufort does not have of this library.",
             "#ifdef __cplusplus", "#define CUFORT_ANY_ARGUMENTS ...", "#else",
             "#define CUFORT_ANY_ARGUMENTS", "#endif",
             "#define CUFORT_ABSENT(name, why) \\",
             f"  {table.status} name(CUFORT_ANY_ARGUMENTS) \\",
             "      __attribute__((unavailable(why)))"] +
            [f'CUFORT_ABSENT({name}, "{lacks}docs/libraries.md lists what it has");'
             for name in table.absent] + removed +
            ["#undef CUFORT_ABSENT", "#undef CUFORT_ANY_ARGUMENTS"])


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
            for f in all_functions(table) if f.own_cpu]
    out += ["", f"}} // namespace cufort::{table.name}", "", f"#endif // {guard}"]
    return "\n".join(out) + "\n"


def twins(table, functions):
    """The CPU's twins for sizes of 64 bits, as far as they have no more."""
    out = []
    for f in functions:
        if not f.twin or not f.own_cpu:
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
    functions = [f for f in table.functions if f.part == name and f.own_cpu]
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
            "namespace {", "using namespace cufort::libraries;", ""]
    if table.values:
        out += ["constexpr const char *Values[] = {" +
                ", ".join(f'"{name}"' for name in table.values[1:]) +
                ", nullptr};"]
    out += [f'constinit VendorLibrary Vendor("{n}", cufort::{n}::VendorFiles, '
            f'"{table.package}", '
            + ("true" if table.without_device == "cpu" else "false")
            + (", Values);" if table.values else ");")]
    if setter:
        out += ["void setStream(intptr_t handle, cudaStream_t stream);"]
    out += ["} // namespace", ""]
    out += twins(table, [f for f in table.functions if not f.part])
    for f in all_functions(table):
        parameters = table.c_parameters(f)
        names = ", ".join(
            f"Vendor.valueOf({a.name})" if a.type in table.values[:1] else a.name
            for a in f.arguments)
        result = table.c_result(f)
        cast = "reinterpret_cast" if f.same_as else "static_cast"
        cpu = ("nullptr" if f.only_gpu else
               f"cufort::{n}::{f.same_as or f.name}")
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
                f"{cast}<{result} (*)({signature})>({cpu}))) {{",
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


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    what, path, *frame, output = sys.argv[1:]
    maker = {"header": header, "functions": functions, "dispatch": dispatch,
             "module": fortran.module, "wrappers": fortran.wrappers, "macros": macros,
             "part": part, "legacy-header": legacy.header,
             "legacy-functions": legacy.functions,
             "legacy-module": legacy.module}[what]
    text = maker(Table(path), *frame)
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
