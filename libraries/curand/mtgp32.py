#!/usr/bin/env python3
"""Writes mtgp32.txt, parameters of Mersenne twisters, as a table in C++.

usage: mtgp32.py mtgp32.txt OUTPUT
"""
import sys


def span(words):
    """All sums of four words in GF(2)."""
    table = [0]
    for word in words:
        table += [word ^ x for x in table]
    return ", ".join(f"{x}u" for x in table)


def main():
    rows = []
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                place, left, right, *words = line.split()
                words = [int(word, 16) for word in words]
                rows.append(f"    {{{place}u, {left}u, {right}u,\n"
                            f"     {{{span(words[:4])}}},\n"
                            f"     {{{span(words[4:])}}}}},\n")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("// Generated from mtgp32.txt, which has the licence, by "
                   "mtgp32.py.\n\n"
                   '#include "libraries/curand/Mtgp32.h"\n\n'
                   "namespace cufort::curand {\n\n"
                   f"static constexpr MtgpSet Sets[{len(rows)}] = {{\n"
                   + "".join(rows) + "};\n\n"
                   "const MtgpSet &mtgpSet(size_t i) { return Sets[i]; }\n\n"
                   "} // namespace cufort::curand\n")


main()
