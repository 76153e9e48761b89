"""The pages in docs/support: every test that they name is there, every state is one that
docs/conformance.md explains, what is rejected has a test of the message, rows are short,
and every routine of cudafor is listed in runtime-api.md and called by a test program.

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
