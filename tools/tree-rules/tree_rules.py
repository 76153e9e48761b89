#!/usr/bin/env python3
"""The rules of the source tree that a program can check.

usage: tree_rules.py ROOT

Prints each place that breaks a rule, and ends with 1 if there is one:
  - who may include whom, and which folders may see LLVM's, MLIR's, Flang's and
    Clang's headers (MAY_INCLUDE, MAY_SEE);
  - files per folder, lines per file, words per README;
  - numbers that decide how much the compiler does have a name, and the reason
    stands beside it;
  - programs in Python name nothing that is not there.
"""
import builtins
import collections
import os
import re
import subprocess
import symtable
import sys

# "About 30" files that a reader sees at once, beside README and CMakeLists.txt.
MOST_FILES = 34
MOST_LINES = 500
MOST_WORDS = 800

# A folder of the compiler, the runtime or the libraries, and the folders whose
# headers it may include beside its own. The image is the only thing that
# compiler and runtime share.
MAY_INCLUDE = {
    "compiler/common": "image",
    "compiler/check": "compiler/common image",
    "compiler/cpu": "compiler/check compiler/common image",
    "compiler/cuda": "compiler/check compiler/common compiler/lower image",
    "compiler/driver": "compiler/common compiler/cpu compiler/cuda compiler/fortran "
                       "compiler/gpu compiler/link compiler/lower image",
    "compiler/fortran": "compiler/check compiler/common compiler/lower",
    "compiler/gpu": "compiler/common",
    "compiler/link": "compiler/check compiler/common compiler/cpu compiler/gpu image",
    "compiler/lower": "compiler/common image",
    "device": "image",
    "image": "",
    "libraries/common": "runtime/core",
    "libraries/cublas": "libraries/common",
    "libraries/cublasLt": "libraries/cublas libraries/common",
    "libraries/cublasXt": "libraries/cublas libraries/common",
    "libraries/cufft": "libraries/common runtime/core",
    "libraries/curand": "libraries/common runtime/core",
    "libraries/cusolverDn": "libraries/common",
    "libraries/cusolverSp": "libraries/common libraries/cusparse",
    "libraries/cusparse": "libraries/common",
    "libraries/cutensor": "libraries/common",
    "libraries/mpi": "libraries/common runtime/core",
    "libraries/nccl": "libraries/common runtime/core",
    "runtime/api": "device runtime/core runtime/check runtime/profile",
    # Kernels call it as they call the CPU engine: by DeviceFunctions.def.
    "runtime/check": "image runtime/core runtime/cpu",
    # Whether the program is built with checkers, and where it ends.
    "runtime/core": "image runtime/check runtime/profile",
    "runtime/cpu": "image runtime/core runtime/check runtime/profile",
    "runtime/cuda": "image runtime/core runtime/profile",
    "runtime/driver": "runtime/api runtime/core",
    "runtime/fortran": "runtime/core runtime/check runtime/profile",
    # Told by all of the runtime; it asks core about devices.
    "runtime/profile": "image runtime/core",
    "tools": "compiler/check compiler/common compiler/cpu compiler/gpu compiler/lower",
}
MAY_SEE = {
    "compiler/check": "llvm",
    "compiler/common": "llvm",
    "compiler/cpu": "llvm",
    "compiler/cuda": "llvm clang",
    "compiler/driver": "llvm clang flang",
    "compiler/fortran": "llvm mlir flang clang",
    "compiler/gpu": "llvm",
    "compiler/link": "llvm",
    "compiler/lower": "llvm mlir flang",
    # Type codes of Flang's descriptors (ISO_Fortran_binding.h's kin).
    "device": "flang",
    "libraries/common": "flang",
    "tools": "llvm mlir flang",
}

# Folders with more files, and why.
LARGER = {
    "include": "the names are CUDA's, and so is the folder",
}
# Names that a file is given by the program that runs it.
GIVEN = {
    "tests/lit.cfg.py": {"config", "lit_config"},
}
# One file a test: what it is called is enough to find it. A test program may be
# long: it is a list of procedures, each of which is read alone.
NOT_COUNTED = ("tests/", "bench/", "examples/")

CODE = (".cpp", ".h", ".c", ".cu", ".def", ".td")
# Test programs may be longer: they are lists of cases.
TESTS = (".ll", ".fir", ".test")
PROJECTS = ("llvm", "mlir", "flang", "clang", "lld")
OURS = ("compiler", "device", "image", "libraries", "runtime")


def component(path):
    parts = path.split("/")
    if parts[0] in ("compiler", "libraries", "runtime"):
        return "/".join(parts[:2]) if len(parts) > 2 else parts[0]
    return parts[0]


def includes(path, text):
    own = component(path)
    if own not in MAY_INCLUDE:
        return
    allowed = MAY_INCLUDE[own].split() + [own]
    seen = MAY_SEE.get(own, "").split()
    for number, line in enumerate(text.splitlines(), 1):
        found = re.match(r'#include ["<]([^">]+)[">]', line)
        if not found:
            continue
        first = found[1].split("/")[0]
        if first in OURS and "/" in found[1] and component(found[1]) not in allowed:
            yield f"{path}:{number}: {own} may not include {component(found[1])}"
        if first in PROJECTS and "/" in found[1] and first not in seen:
            yield f"{path}:{number}: {own} may not see {first}"


# What limits a search, a size or a cost: a number of its own in the code says
# neither what it is nor why it is that large.
LIMIT = re.compile(r"\b(depth|steps|cost|gain|(?:seen|visited|users)\.size\(\)) ?"
                   r"[<>]=? ?(\d+)")
CONSTANT = re.compile(r"^\s*(?:(?:static|inline) )*constexpr (?:unsigned|int|long|double|float|"
                      r"(?:std::)?u?int\d+_t|(?:std::)?size_t|uintptr_t) (\w+) ?= ?(?:\w+\()?[\d.]+")
# Elsewhere constants are mostly numbers of other interfaces (address spaces,
# attributes): those whose names say that they are limits have a reason.
LIMITS = re.compile(r"Most|Least|Few|Many|Near|Long|Limit|Gap|Deepest|Max|Min|Oldest|"
                    r"(?:Runs|Times|Tries|Bytes|Bits|Kept|Threads|WarpSize)$")


def thresholds(path, text):
    if not path.startswith(("compiler/", "runtime/")):
        return
    is_pass = path.startswith(("compiler/cpu/", "compiler/gpu/"))
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        code = line.split("//")[0]
        limit = LIMIT.search(code)
        if limit and int(limit[2]) > 1:
            yield f"{path}:{number}: {limit[0]}: give the number a name and a reason"
        constant = CONSTANT.match(code)
        if constant and "//" not in line and (is_pass or LIMITS.search(constant[1])):
            before = number - 2
            while before > 0 and CONSTANT.match(lines[before]):
                before -= 1
            if not lines[before].strip().startswith("//"):
                yield f"{path}:{number}: say what this number is, and why it is that large"


def is_python(path, text):
    return path.endswith(".py") or re.match(r"#!.*\bpython", text)


def unknown_names(path, text):
    """What would fail only when the line runs that names it."""
    if re.search(r"^from \S+ import \*", text, re.MULTILINE):
        return
    try:
        top = symtable.symtable(text, path, "exec")
    except SyntaxError as error:
        yield f"{path}:{error.lineno}: {error.msg}"
        return
    known = {symbol.get_name() for symbol in top.get_symbols()
             if symbol.is_assigned() or symbol.is_imported()}
    known |= GIVEN.get(path, set()) | {"__file__"}
    scopes = [top]
    for scope in scopes:
        scopes += scope.get_children()
        # A `global` of a function may be all that assigns to a name.
        known |= {symbol.get_name() for symbol in scope.get_symbols()
                  if symbol.is_declared_global()}
    for scope in scopes:
        for symbol in scope.get_symbols():
            name = symbol.get_name()
            if (symbol.is_global() and symbol.is_referenced() and name not in known
                    and not hasattr(builtins, name)):
                yield f"{path}: {scope.get_name()}: there is no '{name}'"


def main():
    root = sys.argv[1]
    files = subprocess.run(["git", "-C", root, "ls-files", "--cached", "--others",
                            "--exclude-standard"], capture_output=True, text=True,
                           check=True).stdout.split("\n")
    broken, folders = [], collections.Counter()
    for path in files:
        whole = os.path.join(root, path)
        if not path or not os.path.isfile(whole):
            continue
        if os.path.basename(path) == "README.md":
            with open(whole, encoding="utf-8") as file:
                words = len(file.read().split())
            if words > MOST_WORDS:
                broken.append(f"{path}: {words} words, more than {MOST_WORDS}")
        with open(whole, encoding="utf-8", errors="replace") as file:
            text = file.read()
        lines = text.count("\n")
        if (lines > MOST_LINES and not path.startswith("tests/programs/")
                and (path.endswith((*CODE, *TESTS)) or is_python(path, text))):
            broken.append(f"{path}: {lines} lines, more than {MOST_LINES}")
        if not path.endswith(CODE):
            if is_python(path, text):
                broken += unknown_names(path, text)
            continue
        folders[os.path.dirname(path)] += 1
        broken += includes(path, text)
        broken += thresholds(path, text)
    for folder, count in folders.items():
        if (count > MOST_FILES and folder not in LARGER
                and not folder.startswith(NOT_COUNTED)):
            broken.append(f"{folder}: {count} files, more than about 30")
    print("\n".join(sorted(broken)))
    return 1 if broken else 0


sys.exit(main())
