#!/usr/bin/env python3
"""Whether every function of the CUDA runtime API that the library defines is
called with wrong arguments by a test. Ends with "N passed, N failed, N skipped".

usage: entry_points.py --library libcufort.a --nm PROGRAM source...
"""
import argparse
import re
import subprocess
import sys

# Nothing can be wrong with their arguments.
WITHOUT = {
    "cudaDeviceSynchronize", "cudaThreadSynchronize", "cudaDeviceReset",
    "cudaThreadExit", "cudaGetLastError", "cudaPeekAtLastError",
    "cudaProfilerStart", "cudaProfilerStop",
    # Every number has a text and a name.
    "cudaGetErrorString", "cudaGetErrorName",
    # Any format can be described; what is wrong is refused where it is used.
    "cudaCreateChannelDesc",
    # Null is allowed for both results.
    "cudaDeviceGetStreamPriorityRange",
    # The launch refuses what it pushes.
    "__cudaPushCallConfiguration",
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", required=True)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args()
    listing = subprocess.run([options.nm, "--defined-only", "--extern-only", options.library],
                             check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    functions = set(re.findall(r" T ((?:__)?cuda\w+)$", listing, re.MULTILINE))
    # These replace a stream and call the function of the plain name.
    functions = {name for name in functions if not re.search("_pt(ds|sz)$", name)}
    text = ""
    for path in options.sources:
        with open(path, encoding="utf-8") as file:
            text += file.read()
    calls = set(re.findall(r"\b((?:__)?cuda\w+)\(", text))
    missing = sorted(functions - calls - WITHOUT)
    for name in missing:
        print(f"{name}: no test calls it with a wrong argument")
    stale = sorted(WITHOUT - functions)
    for name in stale:
        print(f"{name}: is not defined any more")
    failed = len(missing) + len(stale) + (len(functions) < 100)
    print(f"{len(functions) - len(missing)} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
