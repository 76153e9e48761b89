#!/usr/bin/env python3
"""Prints a program with one kernel for each procedure that the module file of
cudadevice declares.

usage: cudadevice_calls.py cudadevice.mod
"""
import re
import sys

BODY = re.compile(r"interface\n(?:pure )?attributes\((?:host,)?device\) "
                  r"(function|subroutine) (\w+)\((.*?)\)(.*)\n((?:.*\n)*?)end\n")
DECLARED = re.compile(r"(\w+\(\w+\))(.*?)::(\w+)(\(.*\))?")


def kernel(number, kind, name, arguments, rest, lines):
    types = {}
    shared = set(re.findall(r"attributes\(shared\) (\w+)", lines))
    for line in lines.split("\n"):
        found = DECLARED.fullmatch(line)
        if found:
            types[found[3]] = (found[1], found[4])
    names = [each for each in arguments.split(",") if each]
    result = re.search(r"result\((\w+)\)", rest)
    if kind == "function":
        names.append(result[1] if result else name)
    text = []
    for i, each in enumerate(names):
        of, shape = types[each]
        extent = ""
        if shape:
            extent = re.sub(r"1_8:(\d+)_8|1_8:\*", lambda m: m[1] or "4", shape)
        text.append(f"{of}{', shared' if each in shared else ''} :: v{i}{extent}")
    passed = ", ".join(f"v{i}" for i in range(len(arguments.split(",")) if arguments
                                             else 0))
    call = f"{name}({passed})"
    text.append(f"v{len(names) - 1} = {call}" if kind == "function"
                else f"call {call}")
    return [f"attributes(global) subroutine k{number}()", *text, "end subroutine"]


def main():
    with open(sys.argv[1], encoding="utf-8-sig") as file:
        bodies = BODY.findall(file.read())
    kernels = [kernel(i, *body) for i, body in enumerate(bodies)]
    print("module kernels", "use cudadevice", "contains", sep="\n")
    for lines in kernels:
        print("\n".join(lines))
    print("end module", "program p", "use kernels", sep="\n")
    print("\n".join(f"call k{i}<<<1, 1>>>()" for i in range(len(kernels))))
    print("end program")
    print(f"! {len(kernels)} procedures")


main()
