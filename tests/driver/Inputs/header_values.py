"""Writes a C program that prints the number of each enumerator and the size of
each type of a toolkit's cuda.h and driver_types.h.

usage: header_values.py TOOLKIT_INCLUDE
"""
import os
import re
import sys

from header_names import for_programs, read

# Ends of enumerations that only NVIDIA's own libraries see.
ENDS = re.compile(r"#if defined\(__CUDA_API_VERSION_INTERNAL\) &&.*?#endif", re.S)


def main():
    lines = []
    for header in ("cuda.h", "driver_types.h"):
        text = read(os.path.join(sys.argv[1], header))
        text = ENDS.sub("", for_programs(text))
        for body in re.findall(r"\benum\b[\w\s]*\{([^{}]*)\}", text):
            body = re.sub(r"^\s*#.*$", "", body, flags=re.M)
            for name in re.findall(r"(?:^|,)\s*(\w+)", body):
                lines.append(f'printf("{name} %lld\\n", (long long){name});')
        types = set(re.findall(r"\}\s*((?:CU|cuda)\w+)\s*;", text))
        types |= {f"struct {name}" for name in re.findall(
            r"^\s*struct (?:__device_builtin__ )?(cuda\w+)\s*\{", text, re.M)}
        lines += [f'printf("sizeof({name}) %zu\\n", sizeof({name}));'
                  for name in sorted(types)]
    print("#include <cuda.h>\n#include <cuda_runtime_api.h>\n#include <stdio.h>\n"
          "int main(void) {\n  " + "\n  ".join(lines) + "\n}")


if __name__ == "__main__":
    main()
