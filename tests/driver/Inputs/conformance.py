"""Every test that docs/conformance.md names is there, and the document has a row for
every routine of cudafor, whose test calls it.

usage: conformance.py docs/conformance.md tests modules/cudafor.table

A test is a word in backquotes in the last column: a program in any folder
(`kinds`, `wrong/recursion`), or a file or folder below tests (`driver/`, `cpu/simd/strips.ll`)."""
import os
import re
import sys

document, tests, table = sys.argv[1:]
programs = {}
for folder, folders, names in os.walk(os.path.join(tests, "programs")):
    folders[:] = [each for each in folders if each != "Inputs"]
    for name in names:
        path = os.path.relpath(os.path.join(folder, name), os.path.join(tests, "programs"))
        programs[os.path.splitext(path)[0]] = os.path.join(folder, name)
        if not path.startswith("wrong"):
            programs[os.path.splitext(name)[0]] = os.path.join(folder, name)
missing = []
rows = 0
routines = {}
with open(document, encoding="utf-8") as text:
    for number, line in enumerate(text, 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if not line.startswith("| ") or len(cells) < 3 or set(cells[0]) <= {"-"}:
            continue
        if cells[-1] in ("test", "test, notes", "notes"):
            continue
        rows += 1
        routine = re.fullmatch(r"`(cuda\w+)`", cells[1])
        if routine and len(cells) == 5:
            routines[routine[1]] = re.findall(r"`([^`]+)`", cells[-1])
        # What comes after a semicolon are notes.
        for name in re.findall(r"`([^`]+)`", cells[-1].split(";")[0]):
            if name not in programs and not os.path.exists(os.path.join(tests, name)):
                missing.append(f"{document}:{number}: no test {name}")
for line in open(table, encoding="utf-8"):
    if line.startswith("constants"):
        break
    routine = re.match(r"(cuda\w+)\(", line)
    if not routine:
        continue
    name = routine[1]
    if not routines.get(name):
        missing.append(f"{document}: no row with a test for {name}")
    for test in routines.get(name, []):
        with open(programs[test], encoding="utf-8") as program:
            code = re.sub(r"!.*", "", program.read())
        if not re.search(rf"\b{name}\b\s*\(", code, re.I):
            missing.append(f"{document}: {test} does not call {name}")
print("\n".join(missing) or f"{rows} rows")
sys.exit(1 if missing or rows < 100 else 0)
