"""Prints which names of a toolkit's headers cufort's headers do not have.

usage: header_names.py [--functions] TOOLKIT_INCLUDE CUFORT_INCLUDE [HEADER...]

Without headers those that both folders have are compared. A name is what a
header declares or defines for programs: CUDA's own prefixes (cuda..., cu...,
CU..., CUDA_..., make_...) and its vector types. Comments are not looked at.
With --functions a name is a function of one of the libraries (cublas...).
"""
import os
import re
import sys

DEFAULT = ["cuda_runtime_api.h", "driver_types.h", "cuda.h", "vector_types.h",
           "vector_functions.h", "library_types.h", "texture_types.h",
           "surface_types.h", "device_types.h", "channel_descriptor.h"]
NAME = re.compile(r"\b(?:cu(?:da)?[A-Z]\w*|CU[A-Z]?_?\w+|make_\w+|"
                  r"[a-z]+[1-4](?:_(?:16|32)a)?)\b")
# Not what inline functions of a header call.
FUNCTION = re.compile(r"\b((?:cublas|cusparse|cusolver|cufft|curand)\w+)"
                      r"(?<!_internal)\s*\(")


# Parameters, macros that programs define, and half a name (CUdevResource_v is
# joined with a number).
NO_NAMES = {"cudaVersion", "CUDA_ENABLE_DEPRECATED", "CUDART_DEVICE",
            "CUdevResource_v"}


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


def for_programs(text):
    """Without what only NVIDIA's own libraries see."""
    own = re.compile(r"^#if defined\(__CUDA(?:RT)?_API_VERSION_INTERNAL\)\s*$", re.M)
    found = own.search(text)
    if not found:
        return text
    depth = 0
    for line in re.finditer(r"^\s*#\s*(if|endif)", text[found.start():], re.M):
        depth += 1 if line[1] == "if" else -1
        if depth == 0:
            end = found.start() + line.end()
            return text[:found.start()] + for_programs(text[end:])
    return text[:found.start()]


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return without_comments(file.read())


def everything(folder):
    """All words of our headers: macros make some of them, piece by piece."""
    words = set()
    for root, _, files in os.walk(folder):
        for file in files:
            words.update(re.findall(r"\w+", read(os.path.join(root, file))))
    return words


def main():
    pattern = FUNCTION if "--functions" in sys.argv else NAME
    toolkit, ours, *headers = [a for a in sys.argv[1:] if a != "--functions"]
    known = everything(ours)
    # name##4_16a and make_##name##2
    pieces = {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong",
              "longlong", "ulonglong", "float", "double"}
    made = {f"{prefix}{each}{number}{suffix}" for each in pieces
            for number in "1234" for prefix in ("", "make_")
            for suffix in ("", "_16a", "_32a")}
    total = 0
    for header in headers or DEFAULT:
        path = os.path.join(toolkit, header)
        if not os.path.exists(path):
            continue
        if not os.path.exists(os.path.join(ours, header)):
            print(f"{header}: there is none")
            total += 1
            continue
        missing = sorted(set(pattern.findall(for_programs(read(path)))) -
                         known - made - NO_NAMES)
        total += len(missing)
        print(f"{header}: {len(missing)} names are missing")
        for name in missing:
            print(f"  {name}")
    print(f"{total} missing")


if __name__ == "__main__":
    main()
