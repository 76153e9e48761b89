#!/usr/bin/env python3
"""Writes mtgp32.txt, parameters of Mersenne twisters, as a table of the library's
in C++, or as the header curand_mtgp32dc_p_11213.h.

usage: mtgp32.py mtgp32.txt OUTPUT
"""
import sys


def span(words):
    """All sums of four words in GF(2)."""
    table = [0]
    for word in words:
        table += [word ^ x for x in table]
    return table


def text(table):
    return "{" + ", ".join(f"{x}u" for x in table) + "}"


def source(sets, _):
    rows = [f"    {{{place}u, {left}u, {right}u,\n     {text(recursion)},\n"
            f"     {text(tempering)}}},\n"
            for place, left, right, recursion, tempering in sets]
    return ("// Generated from mtgp32.txt, which has the licence, by mtgp32.py.\n\n"
            '#include "libraries/curand/Mtgp32.h"\n\n'
            "namespace cufort::curand {\n\n"
            f"static constexpr MtgpSet Sets[{len(sets)}] = {{\n" + "".join(rows)
            + "};\n\nconst MtgpSet &mtgpSet(size_t i) { return Sets[i]; }\n\n"
            "} // namespace cufort::curand\n")


def header(sets, notice):
    rows = [f"    {{11213, {place}, {left}, {right},\n     {text(recursion)},\n"
            f"     {text(tempering)},\n"
            f"     {text([x >> 9 | 0x3f800000 for x in tempering])},\n"
            "     0xfff80000u, {0}},\n"
            for place, left, right, recursion, tempering in sets]
    return ("// Generated from mtgp32.txt by mtgp32.py.\n//\n"
            + "".join(f"//{line[1:]}\n" for line in notice) + "\n"
            "#ifndef CURAND_MTGP32DC_P_11213_H\n"
            "#define CURAND_MTGP32DC_P_11213_H\n\n"
            '#include "curand_mtgp32.h"\n\n'
            "static mtgp32_params_fast_t mtgp32dc_params_fast_11213[] = {\n"
            + "".join(rows) + "};\n\n"
            "static const int mtgpdc_params_11213_num = CURAND_NUM_MTGP32_PARAMS;"
            "\n\n#endif // CURAND_MTGP32DC_P_11213_H\n")


def main():
    sets, notice = [], []
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file.read().splitlines():
            if line.startswith("#"):
                notice.append(line)
            elif line.strip():
                place, left, right, *words = line.split()
                words = [int(word, 16) for word in words]
                sets.append((place, left, right, span(words[:4]),
                             span(words[4:])))
    write = header if sys.argv[2].endswith(".h") else source
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(write(sets, notice))


main()
