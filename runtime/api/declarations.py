#!/usr/bin/env python3
"""Writes what the public headers declare with the types of the runtime.

usage: declarations.py OUTPUT NAMES HEADER...

The runtime has types of its own behind CUDA's names (runtime/api/Types.h):
errors and directions of copies are those of core/, handles are addresses, and
enumerations are int, because any number may arrive. The signatures are the
headers' all the same, so a definition that differs from them does not compile.
NAMES gets CUFORT_FUNCTION(name) for each.
"""
import re
import sys

PROTOTYPE = re.compile(r"\b(?:cudaError_t|const char \*|struct cudaChannelFormatDesc)\s*"
                       r"\bcuda\w+\((?:[^(){};]|\((?:[^()]|\([^()]*\))*\))*\);")
# The enumerations that have a name without the keyword.
ENUMERATIONS = ("cudaStreamAttrID", "cudaKernelNodeAttrID", "cudaLaunchAttributeID")


def prototypes(text):
    """The functions that a header declares."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    text = re.sub(r"^\s*#(?:.*\\\n)*.*$", "", text, flags=re.M)
    text = re.sub(r'extern "C" \{', "", text)
    # Bodies of inline functions and structures have calls and members.
    inner = re.compile(r"\{[^{}]*\}")
    while inner.search(text):
        text = inner.sub("", text)
    return [match[0] for match in PROTOTYPE.finditer(text)]


def with_types(prototype):
    """The prototype in the runtime's types, without default arguments."""
    default = r"\s*\b(?:__dv|CUFORT_DEFAULT)\((?:[^()]|\([^()]*\))*\)"
    prototype = re.sub(default, "", prototype)
    prototype = prototype.replace("enum cudaMemcpyKind", "cudaMemcpyKind")
    prototype = re.sub(r"\benum \w+", "int", prototype)
    return re.sub(r"\b(?:%s)\b" % "|".join(ENUMERATIONS), "int", prototype)


def main():
    output, names, *headers = sys.argv[1:]
    lines = []
    for header in headers:
        with open(header, encoding="utf-8") as file:
            found = prototypes(file.read())
        if not found:
            sys.exit(f"{header} declares no functions")
        lines += map(with_types, found)
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    found = {re.search(r"\b(cuda\w+)\(", line)[1] for line in lines}
    with open(names, "w", encoding="utf-8") as file:
        file.writelines(f"CUFORT_FUNCTION({name})\n" for name in sorted(found))


if __name__ == "__main__":
    main()
