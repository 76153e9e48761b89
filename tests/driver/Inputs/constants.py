"""Writes TABLE's constants as a C program that does not compile if
cuda_runtime_api.h says otherwise.

usage: constants.py TABLE PREFIX
"""
import sys

table, prefix = sys.argv[1:]
lines = ['#include <cuda_runtime_api.h>']
count, inside = 0, False
with open(table, encoding="utf-8") as file:
    for line in file:
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] in ("chapter", "constants", "properties"):
            inside = words[0] == "constants"
        elif inside:
            name, number = words
            if name in ("cudaStreamLegacy", "cudaStreamPerThread"):
                continue  # handles in C
            count += 1
            lines.append(f"typedef char check{count}"
                         f"[{name} == {number} ? 1 : -1];")
if count < 200:
    sys.exit(f"only {count} constants in {table}")
with open(prefix + ".constants.c", "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
