#!/usr/bin/env python3
"""Writes a number that changes with the runtime's sources and options.

usage: version.py OUTPUT OPTIONS FILE...

Two copies of the runtime in one process share their objects where they have the
same number (core/process/Process.h).
"""

import hashlib
import sys


def main():
    output, options, *files = sys.argv[1:]
    digest = hashlib.sha256(options.encode())
    for name in sorted(files):
        with open(name, "rb") as file:
            digest.update(file.read())
    with open(output, "w", encoding="utf-8") as file:
        file.write(
            "inline constexpr unsigned long RuntimeVersion = "
            f"0x{digest.hexdigest()[:16]};\n"
        )


main()
