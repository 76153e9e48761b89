"""The Fortran module of a library, and the C++ that its interfaces call."""
import copy

from tables import NOTICE, fill

WIDE = ("long", "longlong", "size", "sizes", "ulong")
# What else an array of a type may be in a transform in place.
OTHER = {"real(4)": "complex(4)", "real(8)": "complex(8)",
         "complex(4)": "real(4)", "complex(8)": "real(8)"}


def by_descriptor(a):
    return not a.role and a.passing in ("", "!") and a.type in WIDE


def is_host_scalar(a):
    """Alpha and beta of the functions that take them from the host only."""
    return not a.role and a.passing == "[]" and (
        a.type == "dcomplex" or a.type == "any" and a.name in ("alpha", "beta", "gamma"))


def needs_wrapper(f):
    return any(by_descriptor(a) or a.type == "text" or a.open
               or is_host_scalar(a) for a in f.arguments)


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


def fortran_function(table, f, name, scalars, others=(), keeps_mode=False):
    """The interface of one specific procedure; \p others: the arrays that are
    real instead of complex, or the reverse; \p keeps_mode: the pointer mode is
    the program's."""
    symbol = symbol_of(f, None if keeps_mode else scalars)
    names = ", ".join(a.name for a in f.arguments)
    out = [f"    {table.fortran_status()} function {name}({names}) &",
           f'        bind(C, name="{symbol}")', "      import"]
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


def fortran_names(table, f):
    """What a function is called in Fortran: without _v2 as well, and without the
    Ext of sizes of work areas unless another one has that name."""
    names = [f.name]
    if f.name.endswith("_v2"):
        names.append(f.name[:-3])
    size = f.name.removesuffix("Ext")
    if f.name.endswith("_bufferSizeExt") and not any(
            other.name == size for other in table.functions):
        names.append(size)
    return names


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


def keeping_mode(table):
    """What ends the names of functions that leave the pointer mode as it is."""
    return table.pointer_mode[4] if len(table.pointer_mode or ()) > 4 else None


def scalar_functions(table, name, forms, keeps_mode=False):
    """Specific procedures for scalars on either side."""
    out = []
    for tail, form in forms:
        for scalars in ("host", "device"):
            out += fortran_function(table, form, f"{name}{tail}_{scalars}", scalars,
                                    keeps_mode=keeps_mode)
    return out


def interfaces(table):
    out = generics(table)
    taken = [name for name, _ in table.generics]
    for f in table.functions:
        if f.only_c or f.result or f.name in taken:
            continue
        first = fortran_names(table, f)[0]
        forms = [("", f)]
        if twin := with_data_types(table, f):
            forms.append(("_typed", twin))
        for name in fortran_names(table, f):
            if name != first:
                specific = [first + tail + end for tail, _ in forms for end in
                            (("_host", "_device") if f.has("scalar") else ("",))]
                out += [f"  interface {name}",
                        f"    procedure {', '.join(specific)}"]
            elif f.has("scalar"):
                out.append(f"  interface {name}")
                out += scalar_functions(table, name, forms)
                if end := keeping_mode(table):
                    out += ["  end interface", f"  interface {name}{end}"]
                    out += scalar_functions(table, name + end, forms, True)
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


def handle_type(handle):
    component = handle[3] if len(handle) > 3 else "handle"
    return [f"  type, bind(c) :: {handle[2]}",
            f"    type(c_ptr) :: {component} = c_null_ptr", "  end type", ""]


def with_other_names(table, text):
    """A type has two names where it comes from another module."""
    if not table.other_names:
        return text
    own = [h for h in table.handles if h[2] in table.other_names]
    before = [f"module {table.name}_handles",
              "  use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr",
              "  implicit none", "  private :: c_ptr, c_null_ptr", "",
              *(line for h in own for line in handle_type(h)), "end module", "", ""]
    names = ", &\n      ".join(f"{h[2]}, {table.other_names[h[2]]} => {h[2]}"
                               for h in own)
    text = text.replace("\n  implicit none\n",
                        f"\n  use {table.name}_handles, only: {names}\n"
                        "  implicit none\n", 1)
    return text.replace("\nmodule ", "\n" + "\n".join(before) + "module ", 1)


def module(table, frame):
    constants = [f"  integer(4), parameter :: {m[0]} = {m[1]}"
                 for name, members, _ in table.enums for m in members
                 if name not in table.derived]
    constants += [f"  integer(4), parameter :: {c[0]} = {c[1]}"
                  for c in table.constants]
    types = [line for h in table.handles if h[2] not in table.other_names
             for line in handle_type(h)]
    for name, members, _ in table.enums:
        if name in table.derived:
            kind = table.derived[name]
            types += [f"  type, bind(c) :: {kind}",
                      f"    integer(4) :: {table.components[name]}", "  end type"]
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
    return with_other_names(table, text)


def type_of_result(f, a):
    """The argument that says of which type a is: resulttype, abType, computeType."""
    types = {t.name.lower().removesuffix("type"): t for t in f.arguments
             if t.type.startswith("cudaDataType")}
    named = [t for name, t in types.items()
             if name in (a.name, "compute") or len(name) == 2 and a.name in name]
    return f"*{named[0].name}" if named[0].open else named[0].name


def host_scalar(table, f, a):
    """What a function of C gets for the scalar a of the host."""
    kind = table.c_type(a).removesuffix("*").strip()
    if not is_host_scalar(a) and a.role != "scalar":
        return a.name
    if kind == "void":
        return f"Aligned<void>({a.name}, {type_of_result(f, a)})"
    if kind.removeprefix("const ") in ("cuComplex", "cuDoubleComplex", "void"):
        return f"Aligned<{kind}>({a.name})"
    return a.name


def wrappers(table):
    n = table.name
    out = [NOTICE.format(f"{n}: what its Fortran module calls", n),
           '#include "libraries/common/FortranArguments.h"',
           f'#include "{table.header}"', "", "using namespace cufort::libraries;",
           ""]
    if table.pointer_mode:
        get, put, host, device = table.pointer_mode[:4]
        handle = table.handles[0][0]
        out += [f"using Mode = PointerMode<{handle}, {get}, {put}, {host}, "
                f"{device}>;", ""]
    for f in table.functions:
        if f.only_c or f.result:
            continue
        forms = (None,)
        if f.has("scalar"):
            forms = ("host", "device", None) if keeping_mode(table) else (
                "host", "device")
        for scalars in forms:
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
                    actual.append(host_scalar(table, f, a)
                                  if scalars == "host" or is_host_scalar(a)
                                  else a.name)
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
