"""links.py ROOT: every link of every document leads somewhere within the tree, and
every path, source and pass that documents and comments name is there.
"""
import os
import re
import sys
import urllib.parse

import documents

root = sys.argv[1]
failed = 0


def fail(path, line, message):
    global failed
    failed += 1
    print(f"{path}:{line}: {message}")


pages = {path: documents.read(root, path) for path in documents.files(root, ".md")}
assert len(pages) > 40, "the documents are not found"
anchors = {path: set(documents.anchors(text)) for path, text in pages.items()}

links = 0
for path, text in pages.items():
    for line, target in documents.links(text):
        links += 1
        if re.match(r"[a-z]+:", target):
            continue  # elsewhere
        name, _, anchor = urllib.parse.unquote(target).partition("#")
        goal = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        if goal.startswith(".."):
            fail(path, line, f"{target} leads out of the tree")
        elif not os.path.exists(os.path.join(root, goal)):
            fail(path, line, f"{target} is not there")
        elif anchor and anchor not in anchors.get(goal, ()):
            fail(path, line, f"{goal} has no heading #{anchor}")
assert links > 100, "the links are not found"

# Names of pages in the text of documents and of sources: docs/mpi.md.
for path in documents.files(root, ".md", ".cpp", ".h", ".c", ".py", ".td", ".def", ".table",
                            ".cmake", ".txt", ".test", ".cuf", ".cu", ".f90"):
    text = pages.get(path) or documents.read(root, path)
    for found in re.finditer(r"(?<![\w./*-])((?:[\w-]+/)+[\w-]+\.md)(?![\w*])", text):
        places = (found[1], os.path.join(os.path.dirname(path), found[1]))
        if not found[1].startswith(("share/doc/", "COMPILER/")) and \
                not any(os.path.exists(os.path.join(root, place)) for place in places):
            fail(path, text.count("\n", 0, found.start()) + 1, f"{found[1]} is not there")

# Paths in backticks, from the tree's root: `compiler/gpu/Pipeline.cpp`.
folders = {name for name in os.listdir(root) if os.path.isdir(os.path.join(root, name))}
for path, text in pages.items():
    if path.startswith(("bench/results/", "docs/programs.md", "docs/projects.md")):
        continue  # what is said of other trees, or was so on its day
    if path.startswith(("docs/support/", "compiler/passes.md")):
        continue  # name tests by their folders; driver/conformance.test and passes.test look
    prose, _ = documents.split(text)
    for number, line in enumerate(prose, 1):
        for name in re.findall(r"`((?:\w[\w.+-]*/)+[\w.+-]*)`", line):
            folder = name.split("/")[0]
            if folder not in folders or folder == "build" or "NAME" in name \
                    or folder == "include" and not name.endswith(".h"):
                continue
            here = os.path.join(os.path.dirname(path), name)
            test = os.path.join("tests", name)
            if any(os.path.exists(os.path.join(root, place + ending))
                   for place in (name, here, test) for ending in ("", ".cpp", ".h", ".cuf", ".cu",
                                                            ".test", ".ll")):
                continue
            fail(path, number, f"{name} is not there")

# In READMEs also sources by their names alone, and by paths from the README's own
# folder or one around it.
SOURCES = (".cpp", ".h", ".c", ".cu", ".cuf", ".f90", ".def", ".table", ".td", ".py", ".test",
           ".ll", ".fir", ".in")
# What is made when cufort is built, or is another project's.
ELSEWHERE = {"cudafor.cuf", "cufort/random/tables.h", "cudaTypedefs.h", "curand_uniform.h",
             "mpif.h", "mpif-sizeof.h", "ISO_Fortran_binding.h"}
sources = {os.path.basename(path) for path in documents.files(root, *SOURCES)}
count = 0
for path, text in pages.items():
    if os.path.basename(path) != "README.md":
        continue
    around = os.path.dirname(path)
    places = ["tests", around]
    while around:
        around = os.path.dirname(around)
        places.append(around)
    prose, _ = documents.split(text)
    for number, line in enumerate(prose, 1):
        for name in re.findall(r"`(\w[\w./+-]*)`", line):
            if not name.endswith(SOURCES) or name in ELSEWHERE or re.search(r"NAME|SUBJECT", name):
                continue
            count += 1
            if "/" not in name and name in sources:
                continue
            if not any(os.path.exists(os.path.join(root, place, name)) for place in places):
                fail(path, number, f"{name} is not there")
assert count > 300, "the sources are not found"

# Passes in documents, and in what is said of passes in the compiler's headers and tests.
known = set()
for path in documents.files(root, ".cpp", "CMakeLists.txt"):
    text = documents.read(root, path)
    if path.startswith("compiler/") and path.endswith(".cpp"):
        text = " ".join(re.findall(r'"[^"\n]*"', text))
    elif path.endswith(".cpp"):
        continue
    known |= set(re.findall(r"\b(?:cpu|gpu|lower)-[a-z-]+", text))
count = 0
for path in documents.files(root, ".md", ".h", ".ll", ".fir"):
    if path.endswith(".md"):
        if path.startswith("bench/results/"):
            continue
        lines = [" ".join(re.findall(r"`[^`]+`", line)) for line in documents.split(pages[path])[0]]
    elif path.startswith(("compiler/", "tests/cpu/", "tests/gpu/", "tests/lower/")):
        mark = "//" if path.endswith((".h", ".fir")) else ";"
        lines = [line.partition(mark)[2] for line in documents.read(root, path).split("\n")]
    else:
        continue
    for number, line in enumerate(lines, 1):
        for name in re.findall(r"(?<![\w/.=@-])(?:cpu|gpu|lower)-[a-z]+(?:-[a-z]+)*(?![\w./=-])", line):
            count += 1
            if name not in known and name != "cpu-nothing":
                fail(path, number, f"there is no pass {name}")
assert count > 200, "the passes are not found"

sys.exit(bool(failed))
