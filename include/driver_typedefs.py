"""Writes cudaTypedefs.h: types of pointers to the functions of cuda.h.

usage: driver_typedefs.py OUTPUT INCLUDE

The declarations are those of INCLUDE's headers; driver_versions.txt there says
which versions of CUDA the types are named after. Functions whose default stream
can be the thread's own (cufort/driver_per_thread_stream.h) have a second type
with the suffix of that form, which CUDA 7.0 brought. PFN_cuInit and the like,
which headers before CUDA 13 have, are the types of what cuda.h declares.
"""
import os
import re
import sys

HEADERS = ["cuda.h", "cufort/driver_external_api.h", "cufort/driver_former_api.h",
           "cufort/driver_graph_api.h", "cufort/driver_memory_api.h",
           "cufort/driver_system_api.h", "cufort/driver_virtual_memory.h",
           "cufort/driver_forms.h"]
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
            found = " ".join(found.split())
            parameters[bool(inline)][name] = found
            if inline:  # cuCtxGetDevice_v2
                parameters[True].setdefault(re.sub(r"_v\d+$", "", name), found)
    suffixes = dict(re.findall(r"#define (cu\w+) \w+(_pt[ds][sz])\b",
                               read(folder, PER_THREAD)))
    lines, versions = [], []

    def define(name, version, suffix, inline):
        lines.append(f"typedef CUresult (CUDAAPI *PFN_{name}_v{version}{suffix})"
                     f"({parameters[inline][name]});\n")

    with open(os.path.join(folder, "driver_versions.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                continue
            name, version, *other = line.split()
            versions.append((name, version))
            define(name, version, "", False)
            if name in suffixes:
                define(name, max(int(version), 7000), suffixes[name], False)
            for each in other:
                define(name, each, "", True)
                if name in suffixes:
                    define(name, each, suffixes[name], True)
    def plain(per_thread):
        return [f"#define PFN_{name} PFN_{name}_v{max(int(version), 7000)}"
                f"{suffixes[name]}\n" if per_thread and name in suffixes else
                f"#define PFN_{name} PFN_{name}_v{version}\n"
                for name, version in versions]

    lines += ["\n#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)\n", *plain(True),
              "#else\n", *plain(False), "#endif\n"]
    with open(output, "w", encoding="utf-8") as file:
        file.write(OPENING + "".join(lines) + "\n#endif /* CUDATYPEDEFS_H */\n")


if __name__ == "__main__":
    main()
