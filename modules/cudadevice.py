#!/usr/bin/env python3
"""Writes the module file of cudadevice, the module whose procedures all device
code sees: Flang's with the warp procedures, clocks and conversions that it lacks.

usage: cudadevice.py flang's-cudadevice.mod output.mod

Flang's own matches of real numbers compare them cut to integers; they give way to
ours, which compare bits. Every procedure here is bound to one of the device
library or of libdevice.

What Flang makes instructions for GPUs of compute capability 9.0 of (barriers that
count, bulk copies) is bound to device/barriers.c, which the CPU has as well. Its
additions of short arrays, of which it loses four elements' result, give way to
those of device/vectors.c.
"""
import re
import sys

KINDS = {"i4": "integer(4)", "i8": "integer(8)", "r4": "real(4)", "r8": "real(8)"}
# The generic name's ending, the device library's word, what the argument that
# chooses the lane is called.
SHUFFLES = (("", "idx", "srclane"), ("_up", "up", "delta"),
            ("_down", "down", "delta"), ("_xor", "xor", "lanemask"))
MASK = 0xFFFFFFFFFFFFFFFF


def procedure(name, symbol, result, arguments):
    """The interface body of a function; arguments are (name, declaration)."""
    names = ",".join(argument for argument, _ in arguments)
    lines = ["interface",
             f'attributes(device) function {name}({names}) bind(c,name="{symbol}")']
    for argument, declaration in arguments:
        lines.append(f"{declaration}::{argument}")
        lines.append(f"!dir$ ignore_tkr(d) {argument}")
    return [*lines, f"{result}::{name}", "end", "end interface"]


def generic(name, specifics):
    return [f"interface {name}", *(f"procedure::{each}" for each in specifics),
            "end interface"]


def shuffles():
    lines = []
    for sync in ("", "_sync"):
        for ending, word, chooser in SHUFFLES:
            specifics = []
            for kind, declaration in KINDS.items():
                for width in ("", "_width"):
                    suffix = f"shfl{sync}_{word}_{kind}{width}"
                    arguments = [("mask", "integer(4),value")] if sync else []
                    arguments += [("var", f"{declaration},value"),
                                  (chooser, "integer(4),value")]
                    if width:
                        arguments.append(("width", "integer(4),value"))
                    lines += procedure(f"cufort_{suffix}", f"__cufort_{suffix}",
                                       declaration, arguments)
                    specifics.append(f"cufort_{suffix}")
            lines += generic(f"__shfl{ending}{sync}", specifics)
    return lines


def votes():
    lines = procedure("activemask", "__cufort_activemask", "integer(4)", [])
    for name, result in (("ballot", "integer(4)"), ("allthreads", "logical(4)"),
                         ("anythread", "logical(4)")):
        specifics = []
        for kind, declaration in (("i4", "integer(4)"), ("l4", "logical(4)")):
            specifics.append(f"cufort_{name}_{kind}")
            lines += procedure(specifics[-1], f"__cufort_{name}", result,
                               [("pred", f"{declaration},value")])
        lines += generic(name, specifics)
    return lines


def matches():
    lines = []
    for kind in ("r4", "r8"):
        arguments = [("mask", "integer(4),value"), ("val", f"{KINDS[kind]},value")]
        lines += procedure(f"cufort_match_any_{kind}", f"__cufort_match_any_{kind}",
                           "integer(4)", arguments)
        lines += procedure(f"cufort_match_all_{kind}", f"__cufort_match_all_{kind}",
                           "integer(4)", [*arguments, ("pred", "integer(4)")])
    return lines


def subroutine(name, symbol, argument, declaration):
    return ["interface",
            f'attributes(device) subroutine {name}({argument}) bind(c,name="{symbol}")',
            f"{declaration}::{argument}", f"!dir$ ignore_tkr(d) {argument}",
            "end", "end interface"]


def warp_barrier():
    """syncwarp without its mask: for all lanes, as C has it."""
    return ["interface", "attributes(device) subroutine cufort_syncwarp() "
            'bind(c,name="__cufort_syncwarp")', "end", "end interface",
            *generic("syncwarp", ["syncwarp", "cufort_syncwarp"])]


def clocks():
    return [*subroutine("gpu_time", "__cufort_gpu_time", "clock", "integer(8)"),
            *subroutine("nanosleep", "__cufort_nanosleep", "ns", "integer(4),value")]


def conversions():
    """Those of real(4) to unsigned integers of 64 bits."""
    lines = []
    for rounding in ("rd", "rn", "ru", "rz"):
        name = f"float2ull_{rounding}"
        lines += procedure(f"__{name}", f"__nv_{name}", "integer(8)",
                           [("r", "real(4),value")])
    return lines


def ranges():
    """OUT_OF_RANGE of double precision (device/ranges.h) before Flang's own."""
    lines, specifics = [], []
    for kind in (1, 2, 4, 8):
        name = f"cufort_out_of_range_i{kind}"
        specifics.append(name)
        lines += ["interface",
                  f"elemental attributes(host,device) function {name}(x,mold,round)",
                  "real(8),intent(in)::x", "!dir$ ignore_tkr(d) x",
                  f"integer({kind}),intent(in)::mold", "!dir$ ignore_tkr(d) mold",
                  "logical(4),intent(in),optional::round", "!dir$ ignore_tkr(d) round",
                  f"logical(4)::{name}", "end", "end interface"]
    return lines + generic("out_of_range", specifics)


# Generic names; specific ones, element and extent.
ADDITIONS = {"atomicaddvector": (("r2x2", "real(2)", 2), ("r4x2", "real(4)", 2)),
             "atomicaddreal4x2": (("r4x2", "real(4)", 2),),
             "atomicaddreal4x4": (("r4x4", "real(4)", 4),)}
COPIED = ("c4", "c8", "i4", "i8", "r2", "r4", "r8")
# Procedures that become calls of device/barriers.c.
BOUND = ("barrier_arrive", "barrier_arrive_cnt", "barrier_init",
         "barrier_try_wait", "barrier_try_wait_sleep", "fence_proxy_async",
         "tma_bulk_commit_group", "tma_bulk_wait_group", "tma_bulk_g2s",
         "tma_bulk_s2g", *(f"tma_bulk_ld{kind}" for kind in COPIED),
         *(f"tma_bulk_store_{kind}" for kind in COPIED))


def vectors():
    lines = []
    declared = set()
    for specifics in ADDITIONS.values():
        for kind, element, extent in specifics:
            name = f"cufort_atomicadd_{kind}"
            if name in declared:
                continue
            declared.add(name)
            # Functions that return arrays cannot be bound to names.
            shape = f"(1_8:{extent}_8)"
            lines += ["interface",
                      f"attributes(device) function {name}(address,val) result(z)",
                      f"{element},intent(inout)::address{shape}",
                      "!dir$ ignore_tkr(rd) address",
                      f"{element},intent(in)::val{shape}",
                      "!dir$ ignore_tkr(d) val",
                      f"{element}::z{shape}", "end", "end interface"]
    for name, specifics in ADDITIONS.items():
        lines += generic(name, [f"cufort_atomicadd_{kind}" for kind, _, _ in specifics])
    return lines


def without_interface(text, name):
    """Without the interface body or the generic interface of a name."""
    body = (rf"interface\n(?:pure )?attributes\(device\) function {name}\(.*?"
            r"\nend\nend interface\n")
    generic_body = rf"interface {name}\n.*?\nend interface\n"
    shorter, count = re.subn(f"{body}|{generic_body}", "", text, flags=re.DOTALL)
    if count != 1:
        sys.exit(f"no single interface of {name}")
    return shorter


def bound(text, name):
    """With a procedure of Flang's bound to one of the device library's."""
    heading = rf"(attributes\(device\) (?:function|subroutine) {name}\(.*\))\n"
    text, count = re.subn(heading, rf'\1 bind(c,name="__cufort_{name}")\n', text)
    if count != 1:
        sys.exit(f"no single heading of {name}")
    return text


def checksum(text):
    """What Flang writes into the first line: FNV-1a over all the others."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & MASK
    return value


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        header, text = file.read().split("\n", 1)
    found = re.fullmatch(r"(\ufeff?!mod\$ v1 sum:)([0-9a-f]{16})", header)
    if not found or int(found[2], 16) != checksum(text):
        sys.exit(f"{sys.argv[1]}: the module file has another form than expected")
    for how in ("any", "all"):
        for old, new in (("jf", "r4"), ("jd", "r8")):
            line = f"procedure::match_{how}_sync{old}\n"
            if text.count(line) != 1:
                sys.exit(f"{sys.argv[1]}: no single line {line}")
            text = text.replace(line, f"procedure::cufort_match_{how}_{new}\n")
    for name in (*ADDITIONS, "atomicaddvector_r2x2", "atomicaddvector_r4x2",
                 "atomicadd_r4x2", "atomicadd_r4x4"):
        text = without_interface(text, name)
    for name in BOUND:
        text = bound(text, name)
    # A structure comes back through memory, as all of Fortran's do.
    text, count = re.subn(r"(function __ld\w\w_cd\(x\)) bind\(c\)", r"\1", text)
    if count != 5:
        sys.exit("the loads of type(c_devptr) have another form than expected")
    before, contains, after = text.partition("contains\n")
    lines = [*shuffles(), *votes(), *matches(), *warp_barrier(), *clocks(),
             *conversions(), *vectors(), *ranges()]
    text = before + "".join(f"{line}\n" for line in lines) + contains + after
    with open(sys.argv[2], "w", encoding="utf-8", newline="") as file:
        file.write(f"{found[1]}{checksum(text):016x}\n{text}")


main()
