"""Writes cudaTypedefs.h and its like for OpenGL, EGL and VDPAU: types of pointers
to the functions of cuda.h, cudaGL.h, cudaEGL.h and cudaVDPAU.h.

usage: driver_typedefs.py FOLDER INCLUDE

The declarations are those of INCLUDE's headers; driver_versions.txt there says
which versions of CUDA the types are named after. Functions whose default stream
can be the thread's own (cufort/driver/per_thread_stream.h) have a second type
with the suffix of that form, which CUDA 7.0 brought. driver_former_forms.txt has
forms that no header declares. PFN_cuInit and the like, which headers before
CUDA 13 have, are the types of what the headers declare.
"""
import os
import re
import sys

HEADERS = ["cuda.h", "cufort/driver/external_api.h", "cufort/driver/former_api.h",
           "cufort/driver/graph_api.h", "cufort/driver/memory_api.h",
           "cufort/driver/system_api.h", "cufort/driver/virtual_memory.h",
           "cufort/driver/forms.h"]
# What each file is made of, and what it includes before.
OUTPUTS = {"cudaTypedefs.h": (HEADERS, "cuda.h"),
           "cudaGLTypedefs.h": (["cudaGL.h"], "cudaGL.h"),
           "cudaEGLTypedefs.h": (["cudaEGL.h"], "cudaEGL.h"),
           "cudaVDPAUTypedefs.h": (["cudaVDPAU.h"], "vdpau/vdpau.h", "cudaVDPAU.h")}
# Is cuGraphInstantiate now.
NOT_DECLARED = "cuGraphInstantiateWithFlags"
PER_THREAD = "cufort/driver/per_thread_stream.h"
DECLARATION = re.compile(r"(static inline )?CUresult\s+(cu\w+)\(([^;{]*?)\)\s*[;{]")
OPENING = """\
/* Made by driver_typedefs.py: types of pointers to functions of the driver. */

#ifndef {guard}
#define {guard}

{includes}
"""


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return re.sub(r"/\*.*?\*/|//[^\n]*", " ", file.read(), flags=re.S)


def rows(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return [line.strip() for line in file if not line.startswith("#")]


def declarations(folder, headers):
    """The parameters of what is declared, and of what is an inline function."""
    parameters = {False: {}, True: {}}
    for header in headers:
        for inline, name, found in DECLARATION.findall(read(folder, header)):
            found = " ".join(found.split())
            parameters[bool(inline)][name] = found
            if inline:  # cuCtxGetDevice_v2
                parameters[True].setdefault(re.sub(r"_v\d+$", "", name), found)
    return parameters


def write(output, folder, headers, *includes):
    parameters = declarations(folder, headers)
    suffixes = dict(re.findall(r"#define (cu\w+)[\s\\]+\w+(_pt[ds][sz])\b",
                               read(folder, PER_THREAD)))
    lines, versions, defined = [], [], set()

    def define(name, version, suffix, text):
        typed = f"PFN_{name}_v{version}{suffix}"
        if typed not in defined:
            lines.append(f"typedef CUresult (CUDAAPI *{typed})({text});\n")
        defined.add(typed)

    for row in rows(folder, "driver_versions.txt"):
        name, version, *other = row.split()
        if name not in parameters[False]:
            continue
        versions.append((name, version))
        define(name, version, "", parameters[False][name])
        if name in suffixes:
            define(name, max(int(version), 7000), suffixes[name], parameters[False][name])
        for each in other:
            define(name, each, "", parameters[True][name])
            if name in suffixes:
                define(name, each, suffixes[name], parameters[True][name])
    for row in rows(folder, "driver_former_forms.txt"):
        forms, text = row.split(": ", 1)
        name, *suffixed = forms.split()
        if name in parameters[False] or (headers is HEADERS and name == NOT_DECLARED):
            for suffix in suffixed:
                define(name, suffix, "", text)

    def plain(per_thread):
        return [f"#define PFN_{name} PFN_{name}_v{max(int(version), 7000)}"
                f"{suffixes[name]}\n" if per_thread and name in suffixes else
                f"#define PFN_{name} PFN_{name}_v{version}\n"
                for name, version in versions]

    lines += ["\n#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)\n", *plain(True),
              "#else\n", *plain(False), "#endif\n"]
    guard = os.path.basename(output).upper().replace(".", "_")
    with open(output, "w", encoding="utf-8") as file:
        file.write(OPENING.format(guard=guard, includes="".join(
            f"#include {each}\n" for each in
            (f'"{name}"' if name.startswith("cuda") else f"<{name}>" for name in includes))))
        file.write("".join(lines) + f"\n#endif /* {guard} */\n")


def main():
    target, folder = sys.argv[1:]
    for name, (headers, *includes) in OUTPUTS.items():
        write(os.path.join(target, name), folder, headers, *includes)


if __name__ == "__main__":
    main()
