"""Writes cudaTypedefs.h: types of pointers to the functions of cuda.h.

usage: driver_typedefs.py OUTPUT INCLUDE

The declarations are those of INCLUDE's headers; driver_versions.txt there says
which versions of CUDA the types are named after. Functions whose default stream
can be the thread's own (cufort/driver_per_thread_stream.h) have a second type
with the suffix of that form, which CUDA 7.0 brought.
"""
import os
import re
import sys

HEADERS = ["cuda.h", "cufort/driver_graph_api.h", "cufort/driver_memory_api.h",
           "cufort/driver_virtual_memory.h"]
PER_THREAD = "cufort/driver_per_thread_stream.h"
DECLARATION = re.compile(r"(static inline )?CUresult\s+(cu\w+)\(([^;{]*?)\)\s*[;{]")
OPENING = """\
/*===- cudaTypedefs.h - types of pointers to functions of cuda.h ----------===*\\
|*
|* Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\\*===----------------------------------------------------------------------===*/

/* Made by driver_typedefs.py, for what cuGetProcAddress gives. */

#ifndef CUDATYPEDEFS_H
#define CUDATYPEDEFS_H

#include "cuda.h"

"""


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return re.sub(r"/\*.*?\*/|//[^\n]*", " ", file.read(), flags=re.S)


def main():
    output, folder = sys.argv[1:]
    parameters = {False: {}, True: {}}
    for header in HEADERS:
        for inline, name, found in DECLARATION.findall(read(folder, header)):
            parameters[bool(inline)][name] = " ".join(found.split())
    suffixes = dict(re.findall(r"#define (cu\w+) \w+(_pt[ds][sz])\b",
                               read(folder, PER_THREAD)))
    lines = []

    def define(name, version, suffix, inline):
        lines.append(f"typedef CUresult (CUDAAPI *PFN_{name}_v{version}{suffix})"
                     f"({parameters[inline][name]});\n")

    with open(os.path.join(folder, "driver_versions.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                continue
            name, version, *other = line.split()
            define(name, version, "", False)
            if name in suffixes:
                define(name, max(int(version), 7000), suffixes[name], False)
            for each in other:
                define(name, each, "", True)
                if name in suffixes:
                    define(name, each, suffixes[name], True)
    with open(output, "w", encoding="utf-8") as file:
        file.write(OPENING + "".join(lines) + "\n#endif /* CUDATYPEDEFS_H */\n")


if __name__ == "__main__":
    main()
