"""The pages in docs/support: every test that they name is there, the names of a row are
in one of its tests, every state is one that docs/conformance.md explains, what is rejected
or gets a warning has a test of the message, rows are short, and every routine of cudafor is
listed in runtime-api.md and called by a test program.

usage: conformance.py docs tests modules/cudafor.table

A table with a column "test" has the names of tests there in backquotes: a program in any
folder (`kinds`, `wrong/recursion`), or a file or folder below tests (`driver/`,
`cpu/simd/strips.ll`)."""
import os
import re
import sys

documents, tests, table = sys.argv[1:]
LONGEST_CELL = 45  # words

programs = {}
sources = []
for folder, folders, names in os.walk(os.path.join(tests, "programs")):
    folders[:] = [each for each in folders if each != "Inputs"]
    for name in names:
        path = os.path.relpath(os.path.join(folder, name), os.path.join(tests, "programs"))
        programs[os.path.splitext(path)[0]] = os.path.join(folder, name)
        if not path.startswith("wrong"):
            programs[os.path.splitext(name)[0]] = os.path.join(folder, name)
            if name.lower().endswith((".cuf", ".f90")):
                sources.append(os.path.join(folder, name))

with open(os.path.join(documents, "conformance.md"), encoding="utf-8") as file:
    legend = file.read().partition("| state | meaning |")[2].partition("\n\n")[0]
states = set(re.findall(r"^\| ([^|-][^|]*?) \|", legend, re.MULTILINE))
words = {"yes", "allowed", "warning", "rejected", "undefined", "no"}
assert words < states, "the table of states is not found"



def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def text_of(name):
    """A test with what it includes and is compiled with, in lower case, its path first."""
    path = os.path.join(tests, name)
    if name in programs:
        path = programs[name]
    elif not os.path.isfile(path):
        return ""
    texts, left, seen = [path], [path], {path}
    while left:
        path = left.pop()
        texts.append(read(path))
        for other in re.findall(r"""(?:%S/|include ["'<]|MODULE: |\bInputs/)([\w./-]+)""",
                                texts[-1]):
            for place in ("", "Inputs"):
                found = os.path.normpath(os.path.join(os.path.dirname(path), place, other))
                if found not in seen and os.path.isfile(found):
                    seen.add(found)
                    left.append(found)
    return "\n".join(texts).lower()


def names_in(cells):
    """The names in the code that cells quote; those in chevrons stand for arguments."""
    for code in re.findall(r"`([^`]+)`", " ".join(cells)):
        if "<<<" not in code:
            yield from re.findall(r"[A-Za-z_]\w{2,}", code)


wrong = []
rows = 0
listed = ""
support = os.path.join(documents, "support")
for page in sorted(os.listdir(support)):
    path = os.path.join(support, page)
    header = []
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    if page == "runtime-api.md":
        listed = "\n".join(lines)
    for number, line in enumerate(lines, 1):
        if not line.startswith("| "):
            header = []
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if not header:
            header = cells
            continue
        if set(cells[0]) <= {"-"}:
            continue

        def complain(message):
            wrong.append(f"{path}:{number}: {message}")

        rows += 1
        if len(cells) != len(header):
            complain(f"{len(cells)} cells below {len(header)} headings")
            continue
        row = dict(zip(header, cells))
        for title, cell in row.items():
            if title != "test" and len(cell.split()) > LONGEST_CELL:
                complain(f"a cell of {len(cell.split())} words; {LONGEST_CELL} are the most")
        if "test" not in row:
            continue
        named = re.findall(r"`([^`]+)`", row["test"])
        for name in named:
            if name not in programs and not os.path.exists(os.path.join(tests, name)):
                complain(f"no test {name}")
        in_tests = "\n".join(text_of(name) for name in named)
        for name in sorted({*names_in(cells[:-1])}):
            if named and name.lower() not in in_tests:
                complain(f"none of the tests has '{name}'")
        if row.get("state") == "warning" and "warning:" not in in_tests:
            complain("gives a warning, and names no test of the message")
        if not named and not row["test"].startswith(("none: ", "every routine")):
            complain("names no test, and does not say why")
        state = row.get("state", "yes")
        if not any(state == each or state.startswith((each + ",", each + ";", each + ":"))
                   for each in states | {"GPU", "CPU"}):
            complain(f"the state '{state}' is not explained in conformance.md")
        if state.startswith("rejected") and named and \
                not any(name.startswith("wrong/") or "." in name for name in named):
            complain("is rejected, and names no test of the message")

called = ""
for path in sources:
    with open(path, encoding="utf-8") as program:
        called += re.sub(r"!.*", "", program.read()).lower()
routines = 0
for line in open(table, encoding="utf-8"):
    if line.startswith("constants"):
        break
    routine = re.match(r"(cuda\w+)\(", line)
    if not routine:
        continue
    routines += 1
    if f"`{routine[1]}`" not in listed:
        wrong.append(f"{support}/runtime-api.md does not list {routine[1]}")
    if not re.search(rf"\b{routine[1].lower()}\b\s*\(", called):
        wrong.append(f"no program in {tests}/programs calls {routine[1]}")
assert routines > 100, "the table of cudafor is not found"
print("\n".join(wrong) or f"{rows} rows, {routines} routines")
sys.exit(1 if wrong or rows < 400 else 0)
