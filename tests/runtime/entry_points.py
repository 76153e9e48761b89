#!/usr/bin/env python3
"""Whether every function of the CUDA runtime API that the library defines, and
every one of the driver API, is called with wrong arguments by a test; whether
every function of the CUDA 13 runtime API and of its driver API is in the library;
whether docs/support/runtime-api.md names every one of the runtime API's public
headers; and whether cuGetProcAddress knows every function of cuda.h. Ends with
"N passed, N failed, N skipped".

usage: entry_points.py --library libcufort.a --nm PROGRAM --names FILE
                       --page FILE --header FILE... --driver-header FILE...
                       --driver-arguments FILE... --driver-names FILE
                       --all-driver-names FILE source...
"""
import argparse
import re
import subprocess
import sys

# Nothing can be wrong with their arguments.
WITHOUT = {
    "cudaDeviceSynchronize", "cudaThreadSynchronize", "cudaDeviceReset",
    "cudaThreadExit", "cudaGetLastError", "cudaPeekAtLastError",
    "cudaProfilerStart", "cudaProfilerStop", "cudaCtxResetPersistingL2Cache",
    # Every number has a text and a name.
    "cudaGetErrorString", "cudaGetErrorName",
    # Any format can be described; what is wrong is refused where it is used.
    "cudaCreateChannelDesc",
    # Null is allowed for both results.
    "cudaDeviceGetStreamPriorityRange",
    # The launch refuses what it pushes.
    "__cudaPushCallConfiguration",
}


def unlisted(headers, page):
    """Functions of the public headers that docs/support/runtime-api.md does not name."""
    declared = set()
    for header in headers:
        with open(header, encoding="utf-8") as file:
            declared |= set(re.findall(r"^(?:cudaError_t|struct \w+)\s+(cuda\w+)\(", file.read(),
                                       re.MULTILINE))
    with open(page, encoding="utf-8") as file:
        named = set(re.findall(r"`(cuda\w+)`", file.read()))
    return sorted(declared - named)


def undefined(functions, names):
    """Names of the API that are not defined."""
    with open(names, encoding="utf-8") as file:
        wanted = {line.strip() for line in file if not line.startswith("#")}
    return sorted(wanted - functions)


# The same of the driver API.
DRIVER_WITHOUT = {
    "cuCtxSynchronize", "cuCtxPopCurrent", "cuCtxGetStreamPriorityRange",
    "cuProfilerStart", "cuProfilerStop", "cuCtxResetPersistingL2Cache",
}


def declared_in(headers):
    """The functions of the driver API."""
    declared = set()
    for header in headers:
        with open(header, encoding="utf-8") as file:
            declared |= set(re.findall(r"^CUresult\s+(cu\w+)\(", file.read(), re.MULTILINE))
    return declared


def untried(declared, paths):
    """Those that the tests of wrong arguments do not call."""
    calls = set()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            calls |= set(re.findall(r"\b(cu[A-Z]\w+)\(", file.read()))
    return sorted(declared - calls - DRIVER_WITHOUT)


def unknown_by_name(declared, names):
    """Functions of the driver API's headers that the table of names has not, and
    the other way round."""
    with open(names, encoding="utf-8") as file:
        listed = set(re.findall(r"^(?:NAME|EDGES)\((\w+)\)", file.read(), re.MULTILINE))
    listed.add("cuCtxCreate")  # has two forms
    return sorted(declared ^ listed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", required=True)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--names", required=True)
    parser.add_argument("--page", required=True)
    parser.add_argument("--header", action="append", required=True)
    parser.add_argument("--driver-header", action="append", required=True)
    parser.add_argument("--driver-arguments", action="append", required=True)
    parser.add_argument("--driver-names", required=True)
    parser.add_argument("--all-driver-names", required=True)
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args()
    listing = subprocess.run([options.nm, "--defined-only", "--extern-only", options.library],
                             check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    functions = set(re.findall(r" T ((?:__)?cuda\w+)$", listing, re.MULTILINE))
    absent = undefined(functions, options.names)
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
    nowhere = unlisted(options.header, options.page)
    for name in nowhere:
        print(f"{name}: docs/support/runtime-api.md does not name it")
    declared = declared_in(options.driver_header)
    absent += undefined(declared | {"cuCtxCreate"}, options.all_driver_names)
    for name in absent:
        print(f"{name}: is not in the library")
    driver_missing = untried(declared, options.driver_arguments)
    for name in driver_missing:
        print(f"{name}: no test calls it with a wrong argument")
    by_name = unknown_by_name(declared, options.driver_names)
    for name in by_name:
        print(f"{name}: is in only one of the driver API's headers and its table of names")
    failed = (len(nowhere) + len(by_name) + len(driver_missing) + len(missing) + len(stale) +
              len(absent) + (len(functions) < 100))
    tried = len(functions) - len(missing) + len(declared) - len(driver_missing)
    print(f"{tried} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
