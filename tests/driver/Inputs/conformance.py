"""Every test that docs/conformance.md names is there.

usage: conformance.py docs/conformance.md tests

A test is a word in backquotes in the last column: a program (`kinds`,
`wrong/recursion`), or a file or folder below tests (`driver/`, `cpu/strips.ll`)."""
import glob
import os
import re
import sys

document, tests = sys.argv[1:]
missing = []
rows = 0
with open(document, encoding="utf-8") as text:
    for number, line in enumerate(text, 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if not line.startswith("| ") or len(cells) < 3 or set(cells[0]) <= {"-"}:
            continue
        if cells[-1] in ("test", "test, notes", "notes"):
            continue
        rows += 1
        # What comes after a semicolon are notes.
        for name in re.findall(r"`([^`]+)`", cells[-1].split(";")[0]):
            if not (glob.glob(os.path.join(tests, "programs", name + ".*"))
                    or os.path.exists(os.path.join(tests, name))):
                missing.append(f"{document}:{number}: no test {name}")
print("\n".join(missing) or f"{rows} rows")
sys.exit(1 if missing or rows < 100 else 0)
