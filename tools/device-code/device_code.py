#!/usr/bin/env python3
"""Writes the device code of the tree's programs into a folder, and compares two.

usage: device_code.py [--cufort COMMAND] [--device gpu|cpu|both] [-j N] FOLDER [word...]
       device_code.py --compare BEFORE AFTER

FOLDER gets NAME.fatbin for every program of tests/programs, bench and examples
(compiled with -fatbin, and with the options and files that its comments name),
NAME.ptx with its PTX, and NAME.error where it does not compile. Words: only the
programs in whose paths one of them stands. The comparison names the programs
whose files differ, and its status is then 1. Some programs are generated in FOLDER,
whose name is then in their code: write to one, and move it, before the other.
"""
import argparse
import concurrent.futures
import filecmp
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from program import SUFFIXES, Failure, Program  # noqa: E402

PTX = re.compile(rb"\.version \d.*?(?=\0)", re.DOTALL)


def sources():
    """All programs, by their names in the folder that is written."""
    found = {}
    for top in ("tests/programs", "bench", "examples"):
        for folder, folders, files in os.walk(os.path.join(ROOT, top)):
            folders[:] = [f for f in folders if f not in ("Inputs", "wrong")]
            for file in files:
                if file.endswith(SUFFIXES):
                    path = os.path.join(folder, file)
                    name = os.path.relpath(path, ROOT).replace("/", "-")
                    found[name] = path
    return found


def modules_beside(path):
    """Files in the program's folder that are called after modules it uses."""
    with open(path, encoding="utf-8") as file:
        names = re.findall(r"^\s*use\s+(\w+)", file.read(), re.MULTILINE)
    files = [os.path.join(os.path.dirname(path), f"{name}.f90") for name in names]
    return [file for file in files if file != path and os.path.exists(file)]


def command_words(command):
    """Those of --cufort; programs are compiled in folders of their own."""
    first, *options = command.split()
    return [os.path.abspath(first) if os.path.exists(first) else first, *options]


def compile_one(cufort, device, name, path, folder):
    program = Program(path)
    base = os.path.join(folder, name)
    try:
        os.makedirs(base + ".d", exist_ok=True)
        files = [*program.generate(base + ".d"), *program.files("ARCHIVE"),
                 *program.files("SOURCES"), *modules_beside(path), path]
    except Failure as failure:
        return str(failure)
    command = [*cufort, *program.words("FLAGS"), f"--device={device}",
               "-fatbin", *files, "-o", base + ".fatbin"]
    try:
        done = subprocess.run(command, cwd=base + ".d", capture_output=True,
                              timeout=300, check=False)
        status, text = done.returncode, done.stderr
    except subprocess.TimeoutExpired:
        status, text = "none after 300 s", b""
    if status != 0:
        with open(base + ".error", "wb") as file:
            file.write(f"status {status}\n".encode() + text)
        return ""
    with open(base + ".fatbin", "rb") as file:
        texts = PTX.findall(file.read())
    with open(base + ".ptx", "wb") as file:
        file.write(b"\n".join(texts))
    return ""


def write(arguments):
    folder = os.path.abspath(arguments.folders[0])
    words = arguments.folders[1:]
    cufort = command_words(arguments.cufort)
    os.makedirs(folder, exist_ok=True)
    chosen = {name: path for name, path in sources().items()
              if not words or any(word in path for word in words)}
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        problems = [p for p in pool.map(
            lambda item: compile_one(cufort, arguments.device, *item, folder),
            sorted(chosen.items())) if p]
    for problem in problems:
        print(problem, file=sys.stderr)
    made = [f for f in os.listdir(folder) if f.endswith(".fatbin")]
    print(f"{len(made)} of {len(chosen)} programs have device code")
    return 1 if problems or not made else 0


def compare(before, after):
    ends = (".fatbin", ".ptx", ".error")
    names = sorted({f for folder in (before, after) for f in os.listdir(folder)
                    if f.endswith(ends)})
    paths = [(name, os.path.join(before, name), os.path.join(after, name))
             for name in names]
    differ = [name for name, a, b in paths
              if not (os.path.exists(a) and os.path.exists(b)
                      and filecmp.cmp(a, b, shallow=False))]
    for name in differ:
        print(name)
    print(f"{len(names)} files, {len(differ)} differ")
    return 1 if differ or not names else 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--cufort", default=os.path.join(ROOT, "build/bin/cufort"))
    parser.add_argument("--device", default="both", choices=("gpu", "cpu", "both"))
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("folders", nargs="+")
    arguments = parser.parse_args()
    if arguments.compare:
        if len(arguments.folders) != 2:
            parser.error("--compare takes two folders")
        return compare(*arguments.folders)
    return write(arguments)


if __name__ == "__main__":
    sys.exit(main())
